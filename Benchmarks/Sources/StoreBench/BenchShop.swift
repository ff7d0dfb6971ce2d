import Foundation
import FoundationNetworking
import Synchronization

/// A store run by the built `openstore`, with twenty products and a customer who is signed
/// in; where wanted, with many products that the customer owns.
final class BenchShop {
    let folder: URL
    let program: String
    private var server: StoreProcess
    let database: ShopDatabase
    private var profile = ""
    private(set) var profileDigest = ""
    private(set) var token = ""

    static let bundle = "com.example.bench"
    static let email = "bench@example.com"
    static let password = "long-enough"
    static let identifiers = (1...20).map { "\(bundle).item\($0)" }

    /// - Parameters:
    ///   - owned: so many products that can be restored, bought on another device.
    ///   - keepable: more that can be owned, and that nobody has bought.
    ///   - subscription: the product and the group of a monthly subscription to sell. Nil adds no subscription.
    ///   - database: where its rows are to be; in its folder unless given.
    init(
        program: String, folder: URL, owned: Int = 0, keepable: [String] = [],
        subscription: (product: String, group: String)? = nil, database: ShopDatabase? = nil
    ) async throws {
        self.program = program
        self.folder = folder
        let database =
            database ?? .sqlite(folder.appendingPathComponent("store/store.sqlite"))
        self.database = database
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let data = folder.appendingPathComponent("store").path
        let possessions = (0..<owned).map { "\(Self.bundle).owned\($0)" }
        try Self.writeCatalog(into: folder, more: possessions + keepable, subscription)
        let importing = ["catalog", "import", folder.appendingPathComponent("shop.storekit").path]
        let place = ["--data", data] + database.options
        try Self.run(program, importing + place)
        try Self.run(
            program,
            [
                "tester", "create", "--email", Self.email, "--password", Self.password,
                "--storefront", "USA",
            ] + place)
        server = try StoreProcess(program: program, data: data, options: database.options)
        let file = profileFile.path
        try Self.run(
            program,
            [
                "profile", "create", "--bundle-id", Self.bundle, "--store", address, "-o", file,
            ] + place)
        profile = try String(contentsOfFile: file, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let digest = try Self.run(
            "/bin/sh", ["-c", "printf %s \"$(cat '\(file)')\" | sha256sum"])
        profileDigest = String(digest.prefix(64))
        try await signIn()
        try buy(possessions)
    }

    func stop() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Lets something happen to the rows while nobody serves them.
    func pause(_ body: () throws -> Void) async throws {
        let port = URL(string: address)?.port ?? 0
        server.stop()
        try body()
        server = try StoreProcess(
            program: program, data: folder.appendingPathComponent("store").path,
            options: database.options, port: port)
        // It has not seen the profile yet.
        token = ""
        try await signIn()
    }

    var profileFile: URL { folder.appendingPathComponent("profile") }

    var address: String { server.address }

    /// The process that is measured.
    var serverProcess: pid_t { server.id }

    /// What a device sends with every request.
    func deviceHeaders(device: String) -> [(String, String)] {
        customerHeaders(token: token, device: device)
    }

    /// The same of somebody else's device.
    func customerHeaders(token: String, device: String) -> [(String, String)] {
        [
            ("OpenStore-Profile", "sha256:\(profileDigest)"), ("OpenStore-Device", device),
            ("Authorization", "Bearer \(token)"),
        ]
    }

    /// A home folder in which the customer is signed in, as `openstore account` does it.
    func makeHome(_ name: String) throws -> [String: String] {
        let home = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let environment = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "OPENSTORE_PROFILE": profileFile.path,
            "BENCH_URL": url("/device/v1/products"), "BENCH_TOKEN": token,
        ]
        try Self.run(
            "/bin/sh",
            [
                "-c",
                "echo \(Self.password) | '\(program)' account sign-in --email \(Self.email)",
            ], environment: environment)
        return environment
    }

    /// An address of the sandbox.
    func url(_ path: String) -> String { "\(address)/sandbox\(path)" }

    /// Rows of the ledger, counted by another program.
    func ledgerCount() throws -> Int {
        try database.number("SELECT count(*) FROM ledger")
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
            local started = 0
            function setup(thread)
              thread:set("id", started)
              started = started + 1
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

    // MARK: Set-up

    private static func writeCatalog(
        into folder: URL, more: [String], _ subscription: (product: String, group: String)?
    ) throws {
        func product(_ id: String, _ type: String, _ more: String = "") -> String {
            """
            {"displayPrice":"0.99","familyShareable":false,"internalID":"1","localizations":[
            {"description":"A thing to measure with","displayName":"Thing","locale":"en_US"}],
            "productID":"\(id)","referenceName":"\(id)","type":"\(type)"\(more)}
            """
        }
        let groups = subscription.map { subscription in
            let terms = """
                ,"recurringSubscriptionPeriod":"P1M","groupNumber":1,\
                "subscriptionGroupID":"\(subscription.group)"
                """
            return """
                {"id":"\(subscription.group)","name":"\(subscription.group)","localizations":[],\
                "subscriptions":[\(product(subscription.product, "RecurringSubscription", terms))]}
                """
        }
        let products =
            identifiers.map { product($0, "Consumable") }
            + more.map { product($0, "NonConsumable") }
        let text =
            "{\"version\":{\"major\":3,\"minor\":0},\"products\":[\(products.joined(separator: ","))],"
            + "\"subscriptionGroups\":[\(groups ?? "")]}"
        try text.write(
            to: folder.appendingPathComponent("shop.storekit"), atomically: true, encoding: .utf8)
    }

    private func signIn() async throws {
        let answer = try await post(
            "/device/v1/session",
            ["email": Self.email, "password": Self.password] as [String: String])
        token = answer["token"] as? String ?? ""
    }

    /// Buys one of each, over connections side by side.
    private func buy(_ products: [String]) throws {
        guard !products.isEmpty, let url = URL(string: url("/device/v1/purchases")) else { return }
        let headers = deviceHeaders(device: "another")
        let failures = Mutex(0)
        let width = 8
        DispatchQueue.concurrentPerform(iterations: width) { lane in
            do {
                let connection = try RawConnection(url)
                for number in stride(from: lane, to: products.count, by: width) {
                    let body = """
                        {"confirmedPrice":{"currency":"USD","thousandths":990},\
                        "productId":"\(products[number])","purchaseKey":"bench-owned-\(100_000 + number)",\
                        "quantity":1}
                        """
                    try connection.send("POST", url.path, headers: headers, body: body)
                    guard try connection.receive() == 200 else { throw BenchFailure("not sold") }
                }
            } catch {
                failures.withLock { $0 += 1 }
            }
        }
        guard failures.withLock({ $0 }) == 0 else { throw BenchFailure("purchases failed") }
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

    @discardableResult
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        workingFolder: URL? = nil
    ) throws -> String {
        let process = Process()
        if let workingFolder { process.currentDirectoryURL = workingFolder }
        if let environment { process.environment = environment }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        // Dispatch's threads block signals, and a program inherits that: one that lets itself be
        // woken by SIGALRM would sleep for ever.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
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
