import StoreCore
import StoreModel
import StoreWire

/// `openstore item list`
enum ItemList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["item", "list"], summary: "List items, the newest first.",
        options: [
            .value("kind", "KIND", "Only these kinds, with commas between them."),
            .value("state", "STATE", "DRAFT, ON_SALE or REMOVED."),
            .value("search", "TEXT", "Only those whose title contains it."), .limit, .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        var query = connect.query([
            "kind": "filter[kind]", "state": "filter[state]", "search": "filter[search]",
        ])
        query["filter[team]"] = try await connect.team()
        let items = try await connect.api.list(ItemSubject.path, query, limit: connect.limit())
        connect.show.list(items, ItemSubject.columns, empty: "There are no such items.")
    }
}

/// `openstore item show`
enum ItemShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["item", "show"], summary: "Show an item with its texts and media.",
        arguments: [ItemSubject.item])

    static func run(_ connect: ConnectContext) async throws {
        let path = try ItemSubject.itemPath(connect)
        let item = try await connect.api.show(path)
        connect.show.one(item, ItemSubject.details)
        guard connect.show.isForPeople else { return }
        connect.output.line("")
        let texts = (item["attributes"]?["texts"]?.elements ?? []).map { text -> JSONValue in
            ["id": text["locale"] ?? .null, "attributes": text]
        }
        connect.show.list(
            texts,
            [
                .attribute("LANGUAGE", "locale"), .attribute("TITLE", "title"),
                .attribute("SUBTITLE", "subtitle"),
            ], empty: "It has no texts.")
        connect.output.line("")
        connect.show.list(
            try await connect.api.list("\(path)/media"), ItemMediaCommand.columns,
            empty: "It has no pictures and media (openstore item media).")
    }
}
