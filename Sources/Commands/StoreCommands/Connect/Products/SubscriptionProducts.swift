import StoreModel
import StoreWire

/// The auto-renewable subscriptions of an app, which the API lists by their groups.
enum SubscriptionProducts {
    /// The type as rows of products have it.
    static let type = "AUTO_RENEWABLE_SUBSCRIPTION"

    /// The periods that there are, for help texts.
    static let periods = SubscriptionPeriod.ofSubscriptions.map(\.iso8601)
        .formatted(as: "or")

    static let columns: [ConnectRenderer.Column] = [
        .attribute("PERIOD", "subscriptionPeriod"), .attribute("GROUP", "group"),
    ]

    /// The level of service of `--level`; `nil` if it is not given.
    ///
    /// - Throws: `UsageError`.
    static func level(_ arguments: ParsedArguments) throws -> Int? {
        try arguments.value("level", "a number from 1 to 100, 1 being the highest level") { text in
            Int(text).flatMap { (1...100).contains($0) ? $0 : nil }
        }
    }

    /// Subscriptions as rows beside other products: with the type, and the name of the group.
    ///
    /// - Parameter query: filters of the API's list.
    static func list(
        of app: String, _ query: [String: String], _ api: ConnectAPI
    ) async throws -> [JSONValue] {
        var rows: [JSONValue] = []
        for group in try await api.list("/v1/apps/\(app)/subscriptionGroups") {
            rows += try await api.list(
                "/v1/subscriptionGroups/\(group.id)/subscriptions", query
            ).map { row($0, in: group) }
        }
        return rows
    }

    /// The subscription with a product identifier; nil where the app has none of it.
    static func named(
        _ productID: String, of app: String, _ api: ConnectAPI
    ) async throws -> JSONValue? {
        try await list(of: app, ["filter[productId]": productID], api)
            .first { $0.attribute("productId") == productID }
    }

    /// The subscription with an Apple ID, as a row.
    static func show(_ id: String, _ api: ConnectAPI) async throws -> JSONValue {
        let shown = try await api.send("GET", "/v1/subscriptions/\(id)", ["include": "group"])
        let group = shown["included"]?.elements?.first { $0["type"]?.text == "subscriptionGroups" }
        return row(shown["data"] ?? .null, in: group ?? .null)
    }

    private static func row(_ subscription: JSONValue, in group: JSONValue) -> JSONValue {
        var members = subscription.members ?? [:]
        var attributes = members["attributes"]?.members ?? [:]
        attributes["inAppPurchaseType"] = .string(type)
        attributes["group"] = .string(group.attribute("referenceName"))
        members["attributes"] = .object(attributes)
        return .object(members)
    }
}
