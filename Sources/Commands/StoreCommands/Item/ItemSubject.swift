import StoreCore
import StoreModel
import StoreWire

/// The item that a command is about, and how it is shown.
enum ItemSubject {
    static let path = "/openstore/v1/items"
    static let item = CommandSpec.Argument(
        name: "ITEM", help: "The item's number, as openstore item list shows it.")

    /// The path of the item that the first argument names.
    static func itemPath(_ connect: ConnectContext) throws -> String {
        "\(path)/\(try number(connect.arguments.argument(0)))"
    }

    /// - Throws: `UsageError` for what is no number of an item.
    static func number(_ text: String) throws -> String {
        guard let id = ItemID(text) else {
            throw UsageError(
                description: "\"\(text)\" is no number of an item; openstore item list shows them")
        }
        return id.description
    }

    static let columns: [ConnectRenderer.Column] = [
        .id, ConnectRenderer.Column("TITLE") { title($0) }, .attribute("KIND", "kind"),
        .attribute("STATE", "state"),
        ConnectRenderer.Column("TIER") { $0["attributes"]?["prices"]?["tier"]?.text ?? "" },
    ]

    /// The title in its primary language.
    static func title(_ item: JSONValue) -> String {
        let texts = item["attributes"]?["texts"]?.elements ?? []
        let primary = item.attribute("primaryLocale")
        let text = texts.first { $0["locale"]?.text == primary } ?? texts.first
        return text?["title"]?.text ?? ""
    }

    /// Every attribute that has a value, for one item.
    static let details: [ConnectRenderer.Column] =
        columns + [
            .link("ARTIST", "artist"), .link("PARENT", "parent"), .link("APP", "app"),
            ConnectRenderer.Column("GENRES") { item in
                (item["attributes"]?["genreIds"]?.elements ?? []).compactMap(\.integer)
                    .map { Genre.numbered($0)?.name ?? String($0) }.joined(separator: ", ")
            },
            .attribute("EXPLICITNESS", "explicitness"),
        ] + ItemField.all.map { .attribute($0.title.uppercased(), $0.name) } + [
            .attribute("CHANGED", "changedDate")
        ]
}
