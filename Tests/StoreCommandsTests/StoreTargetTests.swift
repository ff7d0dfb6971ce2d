import Foundation
import StoreKit
import StoreServer
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@testable import StoreCommands

/// Which store a command means, and how it is reached.
@Suite struct StoreTargetTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let login = SavedSession(
        store: "https://login.example", token: "token", id: "1", email: "ada@example.com")

    // MARK: The order

    /// What names a store, and what is to become of it.
    struct Case: Sendable {
        var words: [String] = []
        var environment: [String: String] = [:]
        var isSignedIn = false
        var file = ""
        var standardHasStore = false
        var address: String?
        var folder: String?
        var origin = ""
        /// What is said before the work; empty for nothing.
        var said = ""
    }

    private static let cases: [Case] = [
        Case(
            words: ["--store", "https://a.example", "--data", "/d"],
            environment: ["OPENSTORE_URL": "https://b.example"], isSignedIn: true,
            address: "https://a.example", folder: "/d", origin: "--store and --data"),
        Case(
            words: ["--data", "/d"], environment: ["OPENSTORE_URL": "https://b.example"],
            isSignedIn: true, folder: "/d", origin: "--data"),
        Case(
            words: ["--store", "https://a.example"], environment: ["OPENSTORE_DATA": "/e"],
            address: "https://a.example", origin: "--store"),
        Case(
            environment: ["OPENSTORE_URL": "https://b.example"], isSignedIn: true,
            standardHasStore: true, address: "https://b.example", origin: "$OPENSTORE_URL",
            said: "using the store at https://b.example ($OPENSTORE_URL), not /"),
        Case(
            environment: ["OPENSTORE_DATA": "/e"], isSignedIn: true, folder: "/e",
            origin: "$OPENSTORE_DATA",
            said: "using the store in /e ($OPENSTORE_DATA), not https://login.example"),
        Case(
            environment: ["OPENSTORE_URL": "https://b.example", "OPENSTORE_DATA": "/e"],
            address: "https://b.example", folder: "/e",
            origin: "$OPENSTORE_URL and $OPENSTORE_DATA"),
        Case(
            isSignedIn: true, file: "store = https://f.example\n", address: "https://login.example",
            origin: "openstore login",
            said: "using the store at https://login.example (openstore login), not "
                + "https://f.example"),
        Case(isSignedIn: true, address: "https://login.example", origin: "openstore login"),
        Case(
            isSignedIn: true, standardHasStore: true, address: "https://login.example",
            origin: "openstore login",
            said: "using the store at https://login.example (openstore login), not /"),
        Case(file: "data = /f\n", standardHasStore: true, folder: "/f", origin: "openstore.conf:1"),
        Case(standardHasStore: true, folder: "openstore-data", origin: "./openstore-data"),
        Case(),
    ]

    @Test(arguments: cases.indices)
    func `options come before variables, the saved login, the file and the folder`(
        _ index: Int
    ) throws {
        let row = Self.cases[index]
        let file = try folder.write("openstore.conf", row.file).path
        let arguments = try ParsedArguments(
            row.words, for: TeamList.spec, environment: row.environment, file: file)
        let names = try StoreTarget.Names(arguments, saved: row.isSignedIn ? Self.login : nil)
        let target = StoreTarget.chosen(names, standardHasStore: row.standardHasStore)
        #expect(target?.address == row.address)
        #expect(target?.folder?.path == row.folder.map { ParsedArguments.url($0).path })
        let origin = target?.origin ?? ""
        #expect(row.origin.isEmpty ? origin.isEmpty : origin.hasSuffix(row.origin), "\(origin)")
        let said = target?.choice() ?? ""
        #expect(row.said.isEmpty ? said.isEmpty : said.hasPrefix(row.said), "\(said)")
    }

    @Test func `a failure says which store it is about, unless the command line does`() async throws
    {
        func failure(_ words: [String]) async throws -> String {
            let arguments = try ParsedArguments(words, for: TeamList.spec)
            let names = try StoreTarget.Names(arguments, saved: Self.login)
            let target = try #require(StoreTarget.chosen(names, standardHasStore: false))
            do {
                try await target.located { throw ConnectFailure.notFound("There is no app.") }
                return ""
            } catch {
                #expect((error as? any ExitCoded)?.exitCode == .notFound)
                return "\(error)"
            }
        }
        #expect(
            try await failure([])
                == "There is no app.\nThis is about the store at https://login.example "
                + "(openstore login).")
        #expect(try await failure(["--store", "https://a.example"]) == "There is no app.")
    }

    // MARK: Reaching it

    /// How the store of a command was reached, and what was said about that.
    private struct Reached: Sendable {
        let address: String
        let isInProcess: Bool
        let apps: [String]
        let said: [String]
    }

    private func reach(_ words: [String], saved: SavedSession? = nil) async throws -> Reached {
        let said = Mutex<[String]>([])
        let arguments = try ParsedArguments(words, for: TeamList.spec)
        let access = try StoreAccess(
            arguments, environment: [:], saved: saved,
            say: { line in said.withLock { $0.append(line) } })
        return try await access.run { api in
            Reached(
                address: api.address, isInProcess: api.transport is RouterTransport,
                apps: try await api.list("/v1/apps").map { $0.attribute("bundleId") },
                said: said.withLock { $0 })
        }
    }

    private static let apps = [SampleShop.bundleID.text]

    @Test func `where no store runs, a command works on the folder itself`() async throws {
        let shop = try await TestStore(hasContent: false)
        let reached = try await reach(["--data", shop.store.directory.path])
        #expect(reached.isInProcess && reached.apps == Self.apps && reached.said.isEmpty)
        let named = try await reach([
            "--data", shop.store.directory.path, "--store", "http://127.0.0.1:9",
        ])
        #expect(named.isInProcess && named.address == "http://127.0.0.1:9")
        #expect(named.said.first?.hasPrefix("nobody answers at http://127.0.0.1:9") == true)
        await #expect(throws: UsageError.self) {
            try await reach(["--data", folder.file("nothing").path])
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("nothing").path))
    }

    @Test func `a running store is found by its folder`() async throws {
        let shop = try await TestStore(hasContent: false)
        let address = shop.server.address
        let data = shop.store.directory
        let note = try ServingNote(address: address, publicAddress: nil).leave(in: data)
        _ = try await shop.store.makeFirstAPIKey()
        let reached = try await reach(["--data", data.path])
        #expect(reached.address == address && !reached.isInProcess && reached.apps == Self.apps)
        let named = try await reach(["--data", data.path, "--store", address])
        #expect(named.address == address && !named.isInProcess && named.said.isEmpty)
        withExtendedLifetime(note) {}
    }

    @Test func `an address that a killed store has left is passed over`() async throws {
        let shop = try await TestStore(hasContent: false)
        let data = shop.store.directory
        let left = try JSONEncoder().encode(
            ServingNote(address: shop.server.address, publicAddress: nil))
        try left.write(to: data.appendingPathComponent(ServingNote.fileName))
        let reached = try await reach(["--data", data.path])
        #expect(reached.isInProcess && reached.apps == Self.apps)
    }

    @Test func `an address where nobody or another store answers is noticed`() async throws {
        let shop = try await TestStore(hasContent: false)
        let other = try await TestStore(hasContent: false, hasOwnKeys: true)
        let data = shop.store.directory
        for address in ["http://127.0.0.1:9", other.server.address] {
            let note = try ServingNote(address: address, publicAddress: nil).leave(in: data)
            let reached = try await reach(["--data", data.path])
            #expect(reached.isInProcess && reached.apps == Self.apps)
            #expect(reached.said.first?.contains("does not answer at \(address)") == true)
            withExtendedLifetime(note) {}
        }
        await #expect(throws: ConnectFailure.self) {
            try await reach(["--data", data.path, "--store", other.server.address])
        }
    }

    @Test func `what is made on the folder itself leads to the address that was named`()
        async throws
    {
        let shop = try await TestStore(hasContent: false)
        let arguments = try ParsedArguments(
            [
                "--data", shop.store.directory.path, "--store", "http://127.0.0.1:9",
                "--bundle-id", SampleShop.bundleID.text, "-o", folder.file("p").path,
            ], for: ProfileCreate.spec)
        // Made twice, it is the same profile, made anew.
        for _ in 1...2 {
            try await StoreAccess(arguments, environment: [:], saved: nil, say: { _ in }).run {
                try await ProfileCreate.run(
                    ConnectContext(
                        api: $0, arguments: arguments, output: .standard,
                        show: ConnectRenderer(arguments, .standard)))
            }
        }
        let text = try String(contentsOf: folder.file("p"), encoding: .utf8)
        let profile = try DeviceProfile(text: text, source: "p")
        #expect(profile.payload.baseURL == "http://127.0.0.1:9/sandbox")
    }

    // MARK: openstore api

    @Test(
        arguments: [
            ("/v1/apps", "/v1/apps", [:]),
            ("v1/apps?limit=5&sort=name", "/v1/apps", ["limit": "5", "sort": "name"]),
            ("/connect/openstore/v1/me", "/openstore/v1/me", [:]),
        ] as [(String, String, [String: String])])
    func `a path is taken with or without its beginning`(
        text: String, path: String, query: [String: String]
    ) throws {
        let target = try APICommand.target(text)
        #expect(target.path == path && target.query == query)
    }

    @Test func `attributes become the document of the resource that the path names`() throws {
        let fields = try ["name=a=b", "isHosted:=true", "note:=null"].map(APICommand.field)
        let attributes: JSONValue = ["name": "a=b", "isHosted": true, "note": nil]
        #expect(
            APICommand.document("POST", "/v1/bundleIds", fields)
                == ["data": ["type": "bundleIds", "attributes": attributes]])
        #expect(
            APICommand.document("PATCH", "/v1/bundleIds/7", fields)
                == ["data": ["type": "bundleIds", "id": "7", "attributes": attributes]])
        for wrong in ["name", "=x", ":=1", "a:={"] {
            #expect(throws: UsageError.self) { try APICommand.field(wrong) }
        }
    }
}
