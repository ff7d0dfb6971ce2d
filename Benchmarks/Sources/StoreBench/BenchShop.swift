import Foundation
import FoundationNetworking

/// A store run by the built `openstore`, with twenty products, a customer who is signed
/// in, and a grant for 256 MB of content.
final class BenchShop {
    let folder: URL
    let address: String
    private(set) var blobDigest = ""
    private(set) var blob = URL(fileURLWithPath: "/")
    private let program: String
    private let server: Process
    private var profile = ""
    private var profileDigest = ""
    private var token = ""
    private var grant = ""

    private static let bundle = "com.example.bench"
    private static let identifiers = (1...20).map { "\(bundle).item\($0)" }
    private static let hosted = "\(bundle).hosted"

    init(program: String, folder: URL) async throws {
        self.program = program
        self.folder = folder
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let data = folder.appendingPathComponent("store").path
        try Self.writeCatalog(into: folder)
        try Self.run(
            program,
            [
                "catalog", "import", folder.appendingPathComponent("shop.storekit").path,
                "--content", folder.appendingPathComponent("content").path, "--data", data,
            ])
        try Self.run(
            program,
            [
                "tester", "create", "--email", "bench@example.com", "--password", "long-enough",
                "--storefront", "USA", "--data", data,
            ])
        server = Process()
        server.executableURL = URL(fileURLWithPath: program)
        server.arguments = [
            "serve", "--data", data, "--listen", "127.0.0.1:0", "--no-request-log",
        ]
        let output = Pipe()
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        var banner = ""
        while !banner.contains("root  ") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw BenchFailure("the store did not start") }
            banner += String(decoding: data, as: UTF8.self)
        }
        let line = banner.split(separator: "\n").first { $0.contains("production") }
        address = line?.split(separator: " ").last.map(String.init) ?? ""
        let file = folder.appendingPathComponent("profile").path
        try Self.run(
            program,
            [
                "profile", "create", "--bundle-id", Self.bundle, "--url", address, "--data", data,
                "-o", file,
            ])
        profile = try String(contentsOfFile: file, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let digest = try Self.run(
            "/bin/sh", ["-c", "printf %s \"$(cat '\(file)')\" | sha256sum"])
        profileDigest = String(digest.prefix(64))
        try await signIn()
        try await permitDownload()
        blob = URL(fileURLWithPath: data)
            .appendingPathComponent("content/\(blobDigest.prefix(2))/\(blobDigest)")
    }

    func stop() {
        server.terminate()
        server.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// An address of the sandbox.
    func url(_ path: String) -> String { "\(address)/sandbox\(path)" }

    /// Rows of the ledger, counted by another program.
    func ledgerCount() throws -> Int {
        let file = folder.appendingPathComponent("store/store.sqlite").path
        let text = try Self.run("/usr/bin/sqlite3", [file, "SELECT count(*) FROM ledger"])
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    // MARK: Scripts for wrk

    /// The digest of the profile is enough: the store has seen all of it at the sign-in.
    private var headers: String {
        """
        wrk.headers["OpenStore-Profile"] = "sha256:\(profileDigest)"
        wrk.headers["OpenStore-Device"] = "bench"
        wrk.headers["Authorization"] = "Bearer \(token)"

        """
    }

    func productsScript() -> String {
        let list = Self.identifiers.map { "\\\"\($0)\\\"" }.joined(separator: ",")
        return headers + """
            wrk.method = "POST"
            wrk.body = "{\\"productIds\\":[\(list)]}"

            """
    }

    /// Each request has a key of its own.
    func purchaseScript(round: Int) -> String {
        headers + """
            wrk.method = "POST"
            local threads = 0
            function setup(thread)
              thread:set("id", threads)
              threads = threads + 1
            end
            local count = 0
            function request()
              count = count + 1
              local key = string.format("bench-round-\(round)-%d-%09d", id, count)
              return wrk.format("POST", nil, nil, '{"confirmedPrice":{"currency":"USD","thousandths":990},' ..
                '"productId":"\(Self.identifiers[0])","purchaseKey":"' .. key .. '","quantity":1}')
            end

            """
    }

    func contentScript() -> String {
        "wrk.headers[\"OpenStore-Grant\"] = \"\(grant)\"\n"
    }

    // MARK: Set-up

    private static func writeCatalog(into folder: URL) throws {
        func product(_ id: String, _ type: String) -> String {
            """
            {"displayPrice":"0.99","familyShareable":false,"internalID":"1","localizations":[
            {"description":"A thing to measure with","displayName":"Thing","locale":"en_US"}],
            "productID":"\(id)","referenceName":"\(id)","type":"\(type)"}
            """
        }
        let products =
            identifiers.map { product($0, "Consumable") }
            + [product(hosted, "NonConsumable")]
        let text =
            "{\"version\":{\"major\":3,\"minor\":0},\"products\":[\(products.joined(separator: ","))]}"
        try text.write(
            to: folder.appendingPathComponent("shop.storekit"), atomically: true, encoding: .utf8)
        let content = folder.appendingPathComponent("content/\(hosted)")
        try FileManager.default.createDirectory(
            at: content.appendingPathComponent("Contents"), withIntermediateDirectories: true)
        let list = """
            <plist version="1.0"><dict><key>ContentVersion</key><string>1.0</string>
            <key>IAPProductIdentifier</key><string>\(hosted)</string></dict></plist>
            """
        try list.write(
            to: content.appendingPathComponent("ContentInfo.plist"), atomically: true,
            encoding: .utf8)
        // Bytes that don't compress: the blob is as large as the file.
        try run(
            "/bin/sh",
            [
                "-c",
                "head -c 256000000 /dev/urandom > '\(content.path)/Contents/noise.bin'",
            ])
    }

    private func signIn() async throws {
        let answer = try await post(
            "/device/v1/session",
            ["email": "bench@example.com", "password": "long-enough"] as [String: String])
        token = answer["token"] as? String ?? ""
    }

    private func permitDownload() async throws {
        struct Order: Encodable {
            struct Price: Encodable {
                let currency = "USD"
                let thousandths = 990
            }
            let purchaseKey = "bench-hosted-content"
            let productId = BenchShop.hosted
            let quantity = 1
            let confirmedPrice = Price()
        }
        let sold = try await post("/device/v1/purchases", Order())
        let payload = try Self.payload(of: sold["signedTransaction"] as? String ?? "")
        let id = payload["transactionId"] as? String ?? ""
        let permit = try await post(
            "/device/v1/transactions/\(id)/downloads",
            ["contentIdentifier": Self.hosted, "version": "1.0"] as [String: String])
        grant = permit["grant"] as? String ?? ""
        let delivery = try Self.payload(of: permit["signedDelivery"] as? String ?? "")
        blobDigest = delivery["blobDigest"] as? String ?? ""
    }

    private func post(_ path: String, _ body: some Encodable) async throws -> [String: Any] {
        var request = URLRequest(url: URL(string: url(path))!)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(body)
        request.setValue(profile, forHTTPHeaderField: "OpenStore-Profile")
        request.setValue("bench", forHTTPHeaderField: "OpenStore-Device")
        if !token.isEmpty {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw BenchFailure("\(path): \(String(decoding: data, as: UTF8.self))")
        }
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private static func payload(of jws: String) throws -> [String: Any] {
        var text = String(jws.split(separator: ".")[1])
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        let data = Data(base64Encoded: text) ?? Data()
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchFailure("\(program) \(arguments.first ?? "") failed")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
