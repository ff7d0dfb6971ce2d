import Foundation
import StoreCore
import StoreWire

/// `openstore item media`
enum ItemMediaCommand: ConnectCommand {
    private static let kinds = ItemMedia.Kind.allCases.map(\.rawValue).joined(separator: ", ")

    static let spec = CommandSpec.connect(
        ["item", "media"], summary: "Add, order or remove pictures, sounds and films of an item.",
        discussion: """
            With FILE it is added, or takes the place of what is at --position. Without FILE and
            options, what there is is listed.
            """,
        arguments: [
            ItemSubject.item,
            .init(name: "FILE", help: "A picture, sound or film.", isOptional: true),
        ],
        options: [
            .value("kind", "KIND", "What FILE is: \(kinds)."),
            .value("position", "NUMBER", "From 1 on; at the end unless given."),
            .value("name", "TEXT", "What it is called; the file's name unless given."),
            .value("move", "ID", "Put this one at --position."),
            .value("remove", "ID", "Take this one away."),
        ])

    static let columns: [ConnectRenderer.Column] = [
        .id, .attribute("KIND", "kind"), .attribute("POSITION", "position"),
        .attribute("FILE", "fileName"), .attribute("TYPE", "mediaType"),
        .attribute("BYTES", "fileSize"),
    ]

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let path = "\(try ItemSubject.itemPath(connect))/media"
        let position = try arguments.value("position", "a number from 1 on") {
            Int($0).flatMap { $0 > 0 ? $0 : nil }
        }
        if let id = arguments["remove"] {
            try await connect.api.delete("/openstore/v1/itemMedia/\(try identifier(id))")
            return connect.show.done(id: id, "It is removed.")
        }
        if let id = arguments["move"] {
            guard let position else { throw UsageError(description: "--position is missing") }
            let moved = try await connect.api.update(
                "itemMedia", at: "/openstore/v1/itemMedia/\(try identifier(id))",
                ["position": .integer(position)])
            return connect.show.done(
                moved, "\(moved.attribute("fileName")) is number \(position) now.")
        }
        guard let name = arguments.optionalArgument(1) else {
            return connect.show.list(
                try await connect.api.list(path), columns,
                empty: "It has no pictures and media yet.")
        }
        let file = ParsedArguments.url(name)
        var query = [
            "kind": try arguments.required("kind"),
            "fileName": arguments["name"] ?? file.lastPathComponent,
        ]
        query["position"] = position.map(String.init)
        let answer = try await connect.api.send(file: file, to: path, query, silence: 600)
        let media = try JSONValue(reading: answer.all())["data"] ?? .null
        connect.show.done(media, "\(media.attribute("fileName")) is added.")
    }

    private static func identifier(_ text: String) throws -> String {
        guard let id = AssetID(text) else {
            throw UsageError(
                description: "\"\(text)\" is no identifier; openstore item media ITEM shows them")
        }
        return id.text
    }
}
