import StoreWire

/// `openstore item publish`
enum ItemPublish: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["item", "publish"], summary: "Put an item on sale.",
        arguments: [ItemSubject.item])

    static func run(_ connect: ConnectContext) async throws {
        let item = try await connect.api.update(
            "items", at: try ItemSubject.itemPath(connect), ["state": "ON_SALE"])
        connect.show.done(item, "\(ItemSubject.title(item)) is on sale.")
    }
}

/// `openstore item remove`
enum ItemRemove: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["item", "remove"], summary: "Take an item from sale.",
        discussion: "Customers who bought it keep it. openstore item publish puts it back, "
            + "but a publisher can't put back what the store's staff removed.",
        arguments: [ItemSubject.item])

    static func run(_ connect: ConnectContext) async throws {
        let item = try await connect.api.update(
            "items", at: try ItemSubject.itemPath(connect), ["state": "REMOVED"])
        connect.show.done(item, "\(ItemSubject.title(item)) is removed from sale.")
    }
}
