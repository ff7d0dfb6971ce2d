import Foundation
import StoreCore
import StoreModel
import StoreWire

/// Attributes of an item from a command line.
struct ItemAttributes {
    static let options: [CommandSpec.Option] = [
        .value("title", "TEXT", "Its title."),
        .value("subtitle", "TEXT", "A line below the title."),
        .value("description", "TEXT", "Its description; @FILE reads a file."),
        .value("locale", "CODE", "The language of these texts; en-US unless given."),
        .value("genre", "GENRE", "A genre's name, or numbers with commas; the first is primary."),
        .value("tier", "TIER", "What it costs, as openstore price tiers lists them; 0 is free."),
        .value("artist", "NAME", "Who made it; a new name becomes a new artist."),
        .value("parent", "ITEM", "The album of a song, the season of an episode."),
        .value("explicitness", "WORD", "explicit, cleaned or notExplicit."),
        .value(
            "attributes", "FILE",
            "A JSON object with further attributes, named as in the API; - reads standard input."),
    ]

    private(set) var attributes: [String: JSONValue] = [:]
    private(set) var relationships: [String: (type: String, id: String)] = [:]

    /// - Parameters:
    ///   - kind: of the item.
    ///   - texts: those that it has.
    init(_ connect: ConnectContext, kind: ItemKind, texts: [JSONValue]) throws {
        let arguments = connect.arguments
        if let path = arguments["attributes"] { attributes = try Self.read(path) }
        if let text = try Self.text(arguments, among: texts) { attributes["texts"] = text }
        if let genre = arguments["genre"] {
            attributes["genreIds"] = try Self.genres(genre, of: kind)
        }
        if let tier = arguments["tier"] {
            var prices = attributes["prices"]?.members ?? [:]
            prices["tier"] = .string(tier)
            attributes["prices"] = .object(prices)
        }
        if let word = arguments["explicitness"] { attributes["explicitness"] = .string(word) }
        if let parent = arguments["parent"] {
            relationships["parent"] = ("items", try ItemSubject.number(parent))
        }
        if let name = arguments["artist"] { attributes["artistName"] = .string(name) }
    }

    var isEmpty: Bool { attributes.isEmpty && relationships.isEmpty }

    /// The texts with what the options say about one of them; nil where they say nothing.
    private static func text(
        _ arguments: ParsedArguments, among texts: [JSONValue]
    ) throws -> JSONValue? {
        guard
            arguments["title"] != nil || arguments["subtitle"] != nil
                || arguments["description"] != nil
        else { return nil }
        let code = arguments["locale"] ?? "en-US"
        let locale = code.replacing(scalar: "-", with: "_")
        var text = texts.first { $0["locale"]?.text == locale }?.members ?? [:]
        text["locale"] = .string(locale)
        if let title = arguments["title"] { text["title"] = .string(title) }
        if let subtitle = arguments["subtitle"] { text["subtitle"] = .string(subtitle) }
        if let description = arguments["description"] {
            text["description"] = .string(try content(description))
        }
        guard text["title"] != nil else {
            throw UsageError(description: "--title is missing: there is no text in \(code) yet")
        }
        return .array(texts.filter { $0["locale"]?.text != locale } + [.object(text)])
    }

    /// A text, or with an at sign before it the text in a file.
    private static func content(_ text: String) throws -> String {
        guard let path = text.dropping(prefix: "@") else { return text }
        let file = ParsedArguments.url(String(path))
        guard let content = try? String(contentsOf: file, encoding: .utf8) else {
            throw UsageError(description: "\(file.path) can't be read as text")
        }
        return content
    }

    private static func read(_ path: String) throws -> [String: JSONValue] {
        let data =
            path == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data()
            : try? Data(contentsOf: ParsedArguments.url(path))
        guard let data else { throw UsageError(description: "\(path) can't be read") }
        guard let members = (try? JSONValue(reading: data))?.members else {
            throw UsageError(description: "--attributes: \(path) is no JSON object")
        }
        return members
    }

    private static func genres(_ text: String, of kind: ItemKind) throws -> JSONValue {
        if let genre = Genre.named(text, for: kind) { return .array([.integer(genre.id)]) }
        let numbers = text.split(scalar: ",").map {
            Int($0.trimmingCharacters(in: .whitespaces))
        }
        let known = numbers.compactMap(\.self)
        guard !known.isEmpty, known.count == numbers.count else {
            let names = Genre.root(of: kind).children.map(\.name).joined(separator: ", ")
            throw UsageError(
                description: "--genre: \"\(text)\" is none of \(kind.pluralTitle): \(names)")
        }
        return .array(known.map { JSONValue.integer($0) })
    }
}
