import Foundation
import StoreCore
import StoreModel
import StorePackageSamples
import StoreTestSupport
import Testing

/// A store that was served for the first time, and a publisher in it who puts an app on sale with
/// commands only, from the agreement to the review.
final class SellingPublisher: Sendable {
    private static let id = SampleShop.bundleID.text
    private static let email = "publisher@example.com"
    private static let password = "correct horse battery"
    /// A category of apps; those of books are not one.
    private static let category = "6002"

    let folder: TemporaryFolder
    let address: String
    /// The number of the app, and of its page.
    let number: String
    private let server: Program
    private var data: String { folder.file("store").path }

    deinit { server.send(SIGTERM) }

    /// - Parameter tier: what the app costs; `0` is free.
    init(tier: String) async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let server = try await Program(
            "openstore",
            ["serve", "--data", try await folder.makeStore(), "--listen", "127.0.0.1:0"])
        self.server = server
        let banner = try #require(await server.line(with: "/connect/first/"))
        let port = URL(string: banner.trimmingCharacters(in: .whitespaces))?.port
        address = "http://127.0.0.1:\(try #require(port))"
        let connect = Connection(folder: folder, address: address)
        try await connect.begin(email: Self.email, password: Self.password)
        try await connect.agree()
        try await connect.addApp(Self.id)
        try await connect.addProduct(SampleShop.badge, of: Self.id)
        try await connect.upload("1.0", of: Self.id)
        number = try await connect.addPage(of: Self.id, tier: tier, genre: Self.category)
        try await connect.review("1.0", of: Self.id, with: SampleShop.badge)
        try await connect.run(["item", "publish", number])
    }

    /// Makes an account of the production store.
    func addCustomer(_ email: String, password: String) async throws {
        let made = try await Program.run(
            "openstore",
            [
                "customer", "create", "--email", email, "--password", password, "--storefront",
                "USA", "--data", data,
            ])
        try #require(made.code == 0, "\(made.errors)")
    }

    /// What an account of the production store has bought in the app and which of it the app has
    /// finished, and how many items of the storefront it has.
    func bought(
        by email: String
    ) async throws -> (products: [String], finished: [Bool], items: [Int64]) {
        let database = try SQLiteDatabase(path: "\(data)/store.sqlite")
        defer { database.close() }
        return try await database.read { repositories in
            let account = try #require(
                try repositories.accounts.account(email: email, in: .production))
            let app = try #require(try repositories.catalog.app(SampleShop.bundleID))
            let entries = try repositories.ledger.entries(account: account.id, app: app.id)
            let page = try repositories.itemSales.sales(of: account.id, PageRequest(limit: 10))
            return (
                entries.map(\.details.productID.text),
                try entries.map { try repositories.ledger.isFinished($0.id) },
                page.items.map(\.item.number)
            )
        }
    }
}

/// What the publisher does, who is the store's operator too.
private struct Connection {
    let folder: TemporaryFolder
    let address: String

    /// Runs a command that has to succeed, as the team's account holder or as the operator.
    @discardableResult
    func run(
        _ words: [String], asOperator: Bool = false, typing line: String? = nil
    ) async throws -> String {
        let program = try await Program(
            "openstore", words,
            environment: [
                "XDG_CONFIG_HOME": folder.file(asOperator ? "operator" : "publisher").path
            ])
        if let line { program.type(line) }
        let result = await program.end()
        try #require(result.code == 0, "\(words): \(result.errors)")
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func begin(email: String, password: String) async throws {
        let store = folder.file("store").path
        try await run(
            ["operator", "create", "--email", email, "--data", store], typing: password)
        let login = ["login", "--store", address, "--email", email]
        try await run(login, asOperator: true, typing: password)
        try await run(
            ["team", "create", "Lamps", "--account-holder", email], asOperator: true)
        try await run(login + ["--team", "Lamps"], typing: password)
    }

    func agree() async throws {
        try await run([
            "agreement", "set-bank", "--holder", "Ada", "--bank", "Bank", "--territory", "USA",
            "--number", "12345678", "--currency", "USD",
        ])
        try await run([
            "agreement", "set-tax", "--legal-name", "Lamps", "--territory", "USA", "--tax-id",
            "12-345678", "--address", "1 Road",
        ])
        try await run(["agreement", "accept", "free"])
        try await run(["agreement", "accept", "paid"])
    }

    func addApp(_ id: String) async throws {
        try await run(["bundle-id", "create", id])
        try await run(["app", "create", "--bundle-id", id, "--name", "Lamp", "--sku", "LAMP"])
    }

    func addProduct(_ product: String, of app: String) async throws {
        let file = try folder.write("shop.storekit", SampleShop.configuration)
        try await run(["product", "import", file.path, "--app", app])
        let picture = try folder.write("shot.png", SamplePicture.opaque(640, 920))
        try await run(["product", "screenshot", product, picture.path])
    }

    /// Uploads a build that is a real program: the one of the tests that uses the framework.
    func upload(_ version: String, of app: String) async throws {
        try await run(["app", "version", "create", app, version, "--whats-new", "All of it."])
        let program = folder.file("lamp")
        let stripped = try await ChildProgram.run(
            "/usr/bin/strip", ["-o", program.path, Program.path("StoreTestApp")])
        try #require(stripped.status == 0)
        var package = HandmadeApp.good(app, version: version)
        let place = try #require(package.entries.firstIndex { $0.path == "usr/bin/lamp" })
        package.entries[place].bytes = try Data(contentsOf: program)
        let file = try folder.write("lamp.tar.zst", package.tarZstd)
        try await run(["build", "upload", file.path, "--app", app])
    }

    /// - Returns: the number of the page.
    func addPage(of app: String, tier: String, genre: String) async throws -> String {
        let facts = try folder.write(
            "facts.json", #"{"supportUrl": "https://lamp.example/help"}"#)
        let number = try await run([
            "item", "create", "--kind", "software", "--app", app, "--title", "Lamp",
            "--description", "A lamp that can be lit.", "--genre", genre, "--tier", tier,
            "--attributes", facts.path, "--quiet",
        ])
        let icon = try folder.write("icon.png", SamplePicture.square(512))
        try await run(["item", "media", number, icon.path, "--kind", "artwork"])
        return number
    }

    /// Submits a version together with a product, and approves all of it as the operator.
    func review(_ version: String, of app: String, with product: String) async throws {
        let submission = try await run([
            "submission", "create", "--app", app, "--version", version, "--product", product,
            "--quiet",
        ])
        try await run(["review", "claim", submission], asOperator: true)
        let parts = try await run(
            ["submission", "show", submission, "--quiet"], asOperator: true)
        for part in parts.split(separator: "\n") {
            try await run(["review", "approve", String(part)], asOperator: true)
        }
    }
}
