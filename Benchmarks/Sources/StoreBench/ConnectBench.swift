import Foundation

/// Connect with 10,000 products in an app, beside one with 100, in the same store: what a
/// publisher waits for, one request after another, by the API and in the portal.
///
/// A third app has a thousand products with a name that is rare in the other two.
final class ConnectBench {
    /// An app of the store.
    private struct App {
        let id: String
        /// An in-app purchase in the midst of its list.
        let product: String
        let productID: String
        let name: String
    }

    private static let rounds = 5
    private static let requestsEach = 200

    private let program: String
    private let folder: URL
    private let server: StoreProcess
    /// The browser's cookie of somebody who is signed in to the portal.
    private let cookie: String
    private let key: APIKey
    private let few: App
    private let many: App

    init(program: String, folder: URL, few: Int = 100, many: Int = 10_000) throws {
        self.program = program
        self.folder = folder
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let data = folder.appendingPathComponent("store").path
        for (name, count) in [("few", few), ("many", many), ("crowd", 1000)] {
            let file = folder.appendingPathComponent("\(name).storekit")
            try Self.catalog(of: name, count).write(to: file, atomically: true, encoding: .utf8)
            try BenchShop.run(
                program,
                [
                    "catalog", "import", file.path, "--bundle-id", "com.example.\(name)",
                    "--data", data,
                ])
        }
        key = try APIKey(
            program: program, role: "OPERATOR", folder: folder, options: ["--data", data])
        let database = folder.appendingPathComponent("store/store.sqlite").path
        func app(_ name: String, _ count: Int) throws -> App {
            let row = try BenchShop.run(
                "/usr/bin/sqlite3",
                [
                    database,
                    """
                    SELECT app, id, product_id, reference_name FROM product
                    WHERE product_id = 'com.example.\(name).item\(count / 2)'
                    """,
                ]
            ).trimmingCharacters(in: .whitespacesAndNewlines).split(separator: "|").map(String.init)
            guard row.count == 4 else { throw BenchFailure("no products of \(name)") }
            return App(id: row[0], product: row[1], productID: row[2], name: row[3])
        }
        self.few = try app("few", few)
        self.many = try app("many", many)
        server = try StoreProcess(program: program, data: data)
        cookie = try PortalSession.cookie(of: server, folder: folder)
    }

    func stop() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func run() throws -> [Figure] {
        let list = "/connect/v1/apps"
        return try api(list) + portal() + metadata().run()
    }

    private func api(_ list: String) throws -> [Figure] {
        try [
            figure("List of an app's in-app purchases, first 50") {
                "\(list)/\($0.id)/inAppPurchasesV2?limit=50"
            },
            figure("The same, sorted by type, backwards") {
                "\(list)/\($0.id)/inAppPurchasesV2?limit=50&sort=-inAppPurchaseType"
            },
            figure("Found by product ID") {
                "\(list)/\($0.id)/inAppPurchasesV2?filter%5BproductId%5D=\($0.productID)"
            },
            figure("Found by name") {
                "\(list)/\($0.id)/inAppPurchasesV2?filter%5Bname%5D=\($0.name)"
            },
            figure("Those that are rejected: none") {
                "\(list)/\($0.id)/inAppPurchasesV2?filter%5Bstate%5D=REJECTED"
            },
            figure("One in-app purchase with its texts, prices and availability") {
                "/connect/v2/inAppPurchases/\($0.product)"
                    + "?include=inAppPurchaseLocalizations,iapPriceSchedule,inAppPurchaseAvailability"
            },
        ]
    }

    private func portal() throws -> [Figure] {
        func page(_ name: String, _ path: @escaping (App) -> String) throws -> Figure {
            try figure("Page: \(name)", headers: [("Cookie", cookie)]) { "/connect/\(path($0))" }
        }
        return try [
            page("an app") { "apps/\($0.id)" },
            page("its in-app purchases") { "apps/\($0.id)/products" },
            page("the same, by type, backwards") { "apps/\($0.id)/products?sort=-type" },
            page("searched for a name") { "apps/\($0.id)/products?search=\($0.name)" },
            page("searched for what another app has much of") {
                "apps/\($0.id)/products?search=Rare"
            },
            page("searched for what there isn't") { "apps/\($0.id)/products?search=nothing" },
            page("those that are rejected: none") { "apps/\($0.id)/products?state=REJECTED" },
            page("promoted in-app purchases") { "apps/\($0.id)/promoted" },
            page("one in-app purchase") { "products/\($0.product)" },
            page("its prices") { "products/\($0.product)/prices" },
            page("its texts") { "products/\($0.product)/texts" },
        ]
    }

    private func metadata() -> ProductMetadataBench {
        ProductMetadataBench(
            program: program, folder: folder,
            options: ["--store", server.address, "--key", key.file.path, "--issuer", key.issuer],
            server: server, data: folder.appendingPathComponent("store").path)
    }

    /// Milliseconds that an answer takes for the app with many products, beside few.
    ///
    /// - Parameter headers: nil for a key's token.
    private func figure(
        _ name: String, headers: [(String, String)]? = nil, _ path: (App) -> String
    ) throws -> Figure {
        StoreBench.progress(name)
        var values: [Double] = []
        var baselines: [Double] = []
        let headers = try headers ?? [("Authorization", "Bearer \(try key.token())")]
        for _ in 0..<Self.rounds {
            baselines.append(try time(path(few), headers))
            values.append(try time(path(many), headers))
        }
        return Figure(name, values, baselines, "ms", aim: "ratio below 2")
    }

    /// The median of some requests over one connection.
    private func time(_ path: String, _ headers: [(String, String)]) throws -> Double {
        guard let url = URL(string: server.address) else { throw BenchFailure("no address") }
        let connection = try RawConnection(url)
        var times: [Double] = []
        for _ in 0..<Self.requestsEach {
            let start = ContinuousClock.now
            try connection.send("GET", path, headers: headers)
            let status = try connection.receive()
            times.append((ContinuousClock.now - start) / .milliseconds(1))
            guard status == 200 else { throw BenchFailure("\(path): \(status)") }
        }
        return Series.median(times)
    }

    // MARK: Set-up

    static func catalog(of name: String, _ count: Int) -> String {
        func isRare(_ number: Int) -> Bool { name == "crowd" || number == 1 }
        let products = (0..<count).map { number in
            """
            {"displayPrice":"0.99","familyShareable":false,"internalID":"\(number)","localizations":[
            {"description":"A thing to measure with","displayName":"Thing \(number)","locale":"en_US"}],
            "productID":"com.example.\(name).item\(number)","referenceName":"\(isRare(number) ? "Rare" : "Item")-\(number)",
            "type":"\(number % 2 == 0 ? "Consumable" : "NonConsumable")"}
            """
        }
        return
            "{\"version\":{\"major\":3,\"minor\":0},\"products\":[\(products.joined(separator: ","))]}"
    }
}
