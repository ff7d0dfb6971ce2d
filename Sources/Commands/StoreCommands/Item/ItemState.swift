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
        discussion:
            "Who has bought it goes on to have it; openstore item publish puts it back. What the store's staff "
            + "remove, its publisher can't put back.",
        arguments: [ItemSubject.item])

    static func run(_ connect: ConnectContext) async throws {
        let item = try await connect.api.update(
            "items", at: try ItemSubject.itemPath(connect), ["state": "REMOVED"])
        connect.show.done(item, "\(ItemSubject.title(item)) is removed from sale.")
    }
}
