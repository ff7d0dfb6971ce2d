import StoreCore
import StoreWire

/// `openstore item sales`
enum ItemSalesCommand: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["item", "sales"], summary: "List sales of items, the newest first.",
        options: [.value("item", "ITEM", "Only sales of this one, by its number."), .limit, .team])

    static func run(_ connect: ConnectContext) async throws {
        var query: [String: String] = [:]
        query["filter[item]"] = try connect.arguments["item"].map { try ItemSubject.number($0) }
        query["filter[team]"] = try await connect.team()
        let sales = try await connect.api.list(
            "/openstore/v1/itemSales", query, limit: connect.limit())
        connect.show.list(
            sales,
            [
                .id, .attribute("ITEM", "itemId"), .attribute("PRICE", "price"),
                .attribute("CURRENCY", "currency"), .attribute("TERRITORY", "territory"),
                .attribute("SOLD", "saleDate"), .attribute("REFUNDED", "refundDate"),
                .attribute("ENVIRONMENT", "environment"),
            ], empty: "Nothing was sold.")
    }
}

/// `openstore item refund`
enum ItemRefund: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["item", "refund"], summary: "Take a sale of an item back.",
        discussion: """
            The customer has not got the item any longer, and can buy it again. Operators take back
            any sale, publishers what testers bought in the sandbox.
            """,
        arguments: [.init(name: "SALE", help: "As openstore item sales shows it.")])

    static func run(_ connect: ConnectContext) async throws {
        let text = connect.arguments.argument(0)
        guard let id = ItemSaleID(text) else {
            throw UsageError(
                description: "\"\(text)\" is no sale; openstore item sales shows them")
        }
        let refund = try await connect.api.create(
            "itemRefunds", at: "/openstore/v1/itemRefunds", [:],
            relationships: ["sale": ("itemSales", id.description)])
        connect.show.done(refund, "The sale \(id) is refunded.")
    }
}
