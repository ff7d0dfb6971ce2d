import StoreCore
import StoreModel
import StoreWire

/// `openstore item create`
enum ItemCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["item", "create"], summary: "Make an item that customers can browse.",
        discussion: """
            --title and --genre are needed unless they stand in the file of --attributes.
            An item is an app, a book, a song and so on; many of them are made at once with
            openstore item import. It is a draft until openstore item publish, or with --on-sale
            at once.
            """,
        options: [
            .value(
                "kind", "KIND",
                ItemKind.allCases.map(\.rawValue).joined(separator: ", ") + "."
            ).asRequired
        ] + ItemAttributes.options + [
            .value("app", "APP", "The app of this store that the item is, by bundle identifier."),
            .flag("on-sale", "Put it on sale at once."), .team,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let names = ItemKind.allCases.map(\.rawValue).joined(separator: ", ")
        let kind = try arguments.required("kind", "one of \(names)", ItemKind.init(rawValue:))
        if arguments["attributes"] == nil { try arguments.demand(["title", "genre"]) }
        let said = try ItemAttributes(connect, kind: kind, texts: [])
        var attributes = said.attributes
        attributes["kind"] = .string(kind.rawValue)
        if attributes["primaryLocale"] == nil, let locale = arguments["locale"] {
            attributes["primaryLocale"] = .string(
                locale.replacing(scalar: "-", with: "_"))
        }
        if attributes["prices"] == nil { attributes["prices"] = ["tier": "0"] }
        if arguments.has("on-sale") { attributes["state"] = "ON_SALE" }
        var relationships = said.relationships
        if arguments["app"] != nil {
            relationships["app"] = ("apps", try await connect.app().id)
        }
        if let team = try await connect.team() { relationships["team"] = ("teams", team) }
        let item = try await connect.api.create(
            "items", at: ItemSubject.path, attributes, relationships: relationships)
        connect.show.done(
            item, "\(ItemSubject.title(item)) is made; its Apple ID is \(item.id).")
    }
}
