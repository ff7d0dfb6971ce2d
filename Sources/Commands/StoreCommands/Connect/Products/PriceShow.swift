import StoreModel
import StoreWire

/// `openstore price show`
enum PriceShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["price", "show"],
        summary: "Show what an in-app purchase or a subscription costs, and will cost.",
        arguments: [.product],
        options: [
            .app,
            .value("territory", "CODE", "Only in this one, by its alpha-3 code."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let product = try await connect.product()
        let schedule = "/v1/inAppPurchasePriceSchedules/\(product.number)"
        let lists =
            product.isSubscription
            ? ["\(product.path)/prices"]
            : ["\(schedule)/manualPrices", "\(schedule)/automaticPrices"]
        let point = product.isSubscription ? "subscriptionPricePoint" : "inAppPurchasePricePoint"
        var rows: [JSONValue] = []
        for list in lists {
            rows += try await prices(
                list, point: point, connect.query(["territory": "filter[territory]"]), connect.api)
        }
        connect.show.list(
            rows,
            [
                .attribute("TERRITORY", "territory"), .attribute("PRICE", "customerPrice"),
                .attribute("PROCEEDS", "proceeds"), .attribute("CURRENCY", "currency"),
                .attribute("FROM", "startDate"),
            ]
                + (product.isSubscription
                    ? [] : [.attribute("UNTIL", "endDate"), .attribute("OWN", "manual")]),
            empty: "It has no price there (openstore price set).")
    }

    /// Prices with the attributes of their price points beside their own.
    private static func prices(
        _ path: String, point: String, _ query: [String: String], _ api: ConnectAPI
    ) async throws -> [JSONValue] {
        var rows: [JSONValue] = []
        var query = query
        query["include"] = point
        query["limit"] = "200"
        var pages = PageTrail(api.address)
        while true {
            let document = try await api.send("GET", path, query)
            let points = Dictionary(
                (document["included"]?.elements ?? []).map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first })
            rows += (document["data"]?.elements ?? []).map { row($0, point: point, points) }
            guard let next = try pages.next(after: document) else { return rows }
            query["cursor"] = next
        }
    }

    private static func row(
        _ price: JSONValue, point name: String, _ points: [String: JSONValue]
    ) -> JSONValue {
        func link(_ name: String) -> String? {
            price["relationships"]?[name]?["data"]?["id"]?.text
        }
        var attributes = price["attributes"]?.members ?? [:]
        let territory = link("territory")
        attributes["territory"] = .text(territory)
        attributes["currency"] = .text(territory.flatMap(Storefront.named)?.currency)
        let point = link(name).flatMap { points[$0] }
        for name in ["customerPrice", "proceeds"] {
            attributes[name] = point?["attributes"]?[name] ?? .null
        }
        return [
            "type": price["type"] ?? .null, "id": .string(price.id),
            "attributes": .object(attributes),
        ]
    }
}
