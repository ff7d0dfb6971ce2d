import StoreCore
import StoreModel
import StoreWire

/// `openstore item update`
enum ItemUpdate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["item", "update"], summary: "Change what is said about an item.",
        discussion: "Customers of an item that is on sale see the change at once.",
        arguments: [ItemSubject.item], options: ItemAttributes.options + [.team])

    static func run(_ connect: ConnectContext) async throws {
        let path = try ItemSubject.itemPath(connect)
        let item = try await connect.api.show(path)
        guard let kind = ItemKind(rawValue: item.attribute("kind")) else {
            throw CommandFailure(
                description: "the item is of a kind that this openstore does not know: "
                    + item.attribute("kind"))
        }
        let said = try ItemAttributes(
            connect, kind: kind, texts: item["attributes"]?["texts"]?.elements ?? [])
        guard !said.isEmpty else {
            throw UsageError(description: "nothing to change: say what, for example --title")
        }
        var attributes = said.attributes
        // Prices of single storefronts stay beside another tier.
        if connect.arguments["tier"] != nil, connect.arguments["attributes"] == nil {
            var prices = item["attributes"]?["prices"]?.members ?? [:]
            prices["tier"] = attributes["prices"]?["tier"]
            attributes["prices"] = .object(prices)
        }
        let changed = try await connect.api.update(
            "items", at: path, attributes, relationships: said.relationships)
        connect.show.done(changed, "\(ItemSubject.title(changed)) is changed.")
    }
}
