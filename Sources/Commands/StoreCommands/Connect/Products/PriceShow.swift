import StoreModel
import StoreWire

/// `openstore price show`
enum PriceShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["price", "show"], summary: "Show what an in-app purchase costs, and will cost.",
        arguments: [.product],
        options: [
            .app,
            .value("territory", "CODE", "Only in this one, by its alpha-3 code."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let id = try await connect.productNumber()
        let path = "/v1/inAppPurchasePriceSchedules/\(id)"
        var rows: [JSONValue] = []
        for list in ["manualPrices", "automaticPrices"] {
            rows += try await prices(
                "\(path)/\(list)", connect.query(["territory": "filter[territory]"]), connect.api)
        }
        connect.show.list(
            rows,
            [
                .attribute("TERRITORY", "territory"), .attribute("PRICE", "customerPrice"),
                .attribute("PROCEEDS", "proceeds"), .attribute("CURRENCY", "currency"),
                .attribute("FROM", "startDate"), .attribute("UNTIL", "endDate"),
                .attribute("OWN", "manual"),
            ], empty: "It has no price there (openstore price set).")
    }

    /// Prices with the attributes of their price points beside their own.
    private static func prices(
        _ path: String, _ query: [String: String], _ api: ConnectAPI
    ) async throws -> [JSONValue] {
        var rows: [JSONValue] = []
        var query = query
        query["include"] = "inAppPurchasePricePoint"
        query["limit"] = "200"
        var pages = PageTrail(api.address)
        while true {
            let document = try await api.send("GET", path, query)
            let points = Dictionary(
                (document["included"]?.elements ?? []).map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first })
            rows += (document["data"]?.elements ?? []).map { row($0, points) }
            guard let next = try pages.next(after: document) else { return rows }
            query["cursor"] = next
        }
    }

    private static func row(_ price: JSONValue, _ points: [String: JSONValue]) -> JSONValue {
        func link(_ name: String) -> String? {
            price["relationships"]?[name]?["data"]?["id"]?.text
        }
        var attributes = price["attributes"]?.members ?? [:]
        let territory = link("territory")
        attributes["territory"] = .text(territory)
        attributes["currency"] = .text(territory.flatMap(Storefront.named)?.currency)
        let point = link("inAppPurchasePricePoint").flatMap { points[$0] }
        for name in ["customerPrice", "proceeds"] {
            attributes[name] = point?["attributes"]?[name] ?? .null
        }
        return [
            "type": "inAppPurchasePrices", "id": .string(price.id),
            "attributes": .object(attributes),
        ]
    }
}
