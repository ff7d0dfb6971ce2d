import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// A store's folder set up by the commands, with a tester, a profile and device folders.
struct Shop {
    static let email = "ada@example.com"
    static let password = "correct-horse"

    let folder: TemporaryFolder
    /// Where its stores listen, one after the other.
    private let port: ReservedPort
    var data: String { folder.file("store").path }

    /// Beside this process's own, for the commands and the store.
    var environment: [String: String]

    /// Stores as the commands make them, by the size of their content: the commands take a second,
    /// and so tests get copies.
    private static let prepared = OnceEach<Int, Shop>()

    /// - Parameter isCopy: `false` for keys that no other shop has.
    init(
        noiseBytes: Int = 300_000, environment: [String: String] = [:], isCopy: Bool = true
    ) async throws {
        try self.init(environment)
        if isCopy, environment.isEmpty {
            try writeFiles(noiseBytes: noiseBytes)
            let shop = try await Self.prepared.value(for: noiseBytes) {
                let shop = try Shop([:])
                try await shop.fill(noiseBytes: noiseBytes)
                try await EmptyStore.prepareReceipts(in: URL(fileURLWithPath: shop.data))
                return shop
            }
            try FileManager.default.copyItem(atPath: shop.data, toPath: data)
        } else {
            try await fill(noiseBytes: noiseBytes)
        }
    }

    private init(_ environment: [String: String]) throws {
        self.environment = environment
        folder = try TemporaryFolder()
        port = try ReservedPort()
    }

    @discardableResult
    private func writeFiles(noiseBytes: Int) throws -> (configuration: URL, content: URL) {
        let file = try folder.write("shop.storekit", SampleShop.configuration)
        return (file, try SampleShop.writeContent(into: folder, noiseBytes: noiseBytes))
    }

    private func fill(noiseBytes: Int) async throws {
        let (file, content) = try writeFiles(noiseBytes: noiseBytes)
        try await command([
            "catalog", "import", file.path, "--content", content.path, "--bundle-id",
            SampleShop.bundleID.text, "--data", data,
        ])
        try await command([
            "tester", "create", "--email", Self.email, "--password", Self.password,
            "--storefront", "USA", "--data", data,
        ])
    }

    /// Runs a command that has to succeed.
    @discardableResult
    func command(_ words: [String]) async throws -> String {
        let result = try await Program.run("openstore", words, environment: environment)
        guard result.code == 0 else {
            throw ProgramFailure(description: "\(words): \(result.errors)")
        }
        return result.output
    }

    /// A picture of the size that reviewers want.
    func screenshot() throws -> URL {
        var picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        picture += Data("IHDR".utf8) + Data([0, 0, 2, 128, 0, 0, 3, 152]) + Data(count: 600_000)
        return try folder.write("shot.png", picture)
    }

    /// Starts `openstore serve` and gives it with its address, which is the same each time.
    ///
    /// - Parameter port: another one than the shop's own; 0 for any.
    func serve(port: UInt16? = nil) async throws -> (Program, address: String) {
        let server = try await Program(
            "openstore",
            ["serve", "--data", data, "--listen", "127.0.0.1:\(port ?? self.port.number)"],
            environment: environment)
        guard let line = await server.line(with: "production"),
            let address = line.split(separator: " ").last
        else { throw ProgramFailure(description: await server.end().errors) }
        return (server, String(address))
    }

    /// Starts, at the same address, the store that kills itself after the commit of its n-th
    /// purchase, or at its n-th transaction.
    ///
    /// - Parameter moment: one of `StoreFaultServer`.
    func serveUntil(
        _ count: Int, _ moment: String = "sale"
    ) async throws -> (Program, address: String) {
        let server = try await Program(
            "StoreFaultServer", [data, "\(port.number)", "\(count)", moment])
        guard let address = await server.line(with: "http://") else {
            throw ProgramFailure(description: await server.end().errors)
        }
        return (server, address)
    }

    /// What an app needs to know: profile, folders, account, and where it is to die.
    func device(
        _ name: String, address: String, fault: String = ""
    ) async throws -> [String: String] {
        let profile = folder.file("\(name).storeprofile")
        try await command([
            "profile", "create", "--bundle-id", SampleShop.bundleID.text, "--store", address,
            "--data", data, "-o", profile.path,
        ])
        let home = folder.file(name)
        return [
            "OPENSTORE_PROFILE": profile.path, "HOME": home.path,
            "XDG_STATE_HOME": home.appendingPathComponent("state").path,
            "XDG_CACHE_HOME": home.appendingPathComponent("cache").path,
            "XDG_CONFIG_HOME": home.appendingPathComponent("config").path,
            "TEST_EMAIL": Self.email, "TEST_PASSWORD": Self.password, "TEST_FAULT": fault,
        ]
    }

    /// What the ledger on disk holds for the tester, and which of it is finished.
    func ledger() async throws -> [(entry: LedgerEntry, isFinished: Bool)] {
        let database = try SQLiteDatabase(path: "\(data)/store.sqlite")
        defer { database.close() }
        return try await database.read { repositories in
            guard let account = try repositories.accounts.account(email: Self.email, in: .sandbox),
                let app = try repositories.catalog.app(SampleShop.bundleID)
            else { throw ProgramFailure(description: "the store has lost its tester or its app") }
            return try repositories.ledger.entries(account: account.id, app: app.id).map {
                ($0, try repositories.ledger.isFinished($0.id))
            }
        }
    }

    /// The installed folder holds what the publisher handed in, byte by byte.
    func expectSameContent(_ installed: URL) throws {
        let source = folder.file("content/\(SampleShop.chapter)/Contents")
        let manager = FileManager.default
        let wanted = try manager.subpathsOfDirectory(atPath: source.path).sorted()
        #expect(try manager.subpathsOfDirectory(atPath: installed.path).sorted() == wanted)
        for path in wanted {
            let original = source.appendingPathComponent(path)
            var isDirectory: ObjCBool = false
            _ = manager.fileExists(atPath: original.path, isDirectory: &isDirectory)
            guard !isDirectory.boolValue else { continue }
            let same = manager.contentsEqual(
                atPath: original.path, andPath: installed.appendingPathComponent(path).path)
            #expect(same, "\(path)")
        }
    }

    static func port(of address: String) -> UInt16 {
        UInt16(address.split(separator: ":").last ?? "") ?? 0
    }
}

struct ProgramFailure: Error, CustomStringConvertible {
    let description: String
}
