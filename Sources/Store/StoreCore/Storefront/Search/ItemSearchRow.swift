import StoreDatabase
import StoreModel

// What the tables of the search have of an item or an artist. Texts are as `SearchText` has them.

/// The names by which most searches find an item.
struct ItemNames: Record {
    /// The number of the `SearchRow`.
    var row: Int64
    private let title: String
    /// In other languages, one a line.
    private let titles: String
    private let artist: String
    private let collection: String

    static let table: StaticString = "item_name_search"

    init(_ column: borrowing RecordColumns<Self>) throws {
        row = try column("rowid", \.row, .key)
        title = try column("title", \.title)
        titles = try column("titles", \.titles)
        artist = try column("artist", \.artist)
        collection = try column("collection", \.collection)
    }

    /// - Parameters:
    ///   - artist: the name of who made it.
    ///   - collection: the title of the album or season that it belongs to.
    init(_ row: Int64, of details: ItemDetails, artist: String?, collection: String?) {
        let title = SearchText.indexed(details.title)
        var others: [String] = []
        for (_, text) in details.texts.sorted(by: { $0.key < $1.key }) {
            let other = SearchText.indexed(text.title)
            if other != title, !other.isEmpty, !others.contains(other) { others.append(other) }
        }
        self.row = row
        self.title = title
        titles = others.joined(separator: "\n")
        self.artist = SearchText.indexed(artist ?? "")
        self.collection = details.kind.isCollection ? title : SearchText.indexed(collection ?? "")
    }

    private var otherTitles: [String] { titles.split(scalar: "\n").map(String.init) }

    /// In all languages.
    var allTitles: Set<String> { Set([title] + otherTitles).subtracting([""]) }

    var all: [String] { [title] + otherTitles + [artist, collection] }
}

/// Everything else that a search of an item looks through.
struct ItemSearchTexts: Record {
    /// The number of the `SearchRow`.
    var row: Int64
    private let names: String
    private let description: String
    private let keywords: String
    private let composer: String
    private let director: String
    private let producer: String
    private let actor: String
    private let marks: String

    /// What of a description is searched.
    static let longestDescription = 4_000

    static let table: StaticString = "item_text_search"

    init(_ column: borrowing RecordColumns<Self>) throws {
        row = try column("rowid", \.row, .key)
        names = try column("names", \.names)
        description = try column("description", \.description)
        keywords = try column("keywords", \.keywords)
        composer = try column("composer", \.composer)
        director = try column("director", \.director)
        producer = try column("producer", \.producer)
        actor = try column("actor", \.actor)
        marks = try column("marks", \.marks)
    }

    init(_ row: Int64, of details: ItemDetails, names: ItemNames) {
        let facts = details.facts
        var texts: [String] = []
        for (_, text) in details.texts.sorted(by: { $0.key < $1.key }) {
            texts += [text.subtitle, text.description, text.shortDescription]
        }
        texts.append(facts.sellerName ?? "")
        self.row = row
        self.names = names.all.joined(separator: "\n")
        description = Self.indexed(texts.filter { !$0.isEmpty })
        keywords = Self.indexed(facts.keywords)
        composer = Self.indexed([facts.composer ?? ""])
        director = Self.indexed([facts.director ?? ""])
        producer = Self.indexed(facts.producers)
        actor = Self.indexed(facts.actors)
        marks = ItemSearchAttributes(details).text
    }

    private static func indexed(_ texts: [String]) -> String {
        texts.map { SearchText.indexed($0, limit: longestDescription) }.joined(separator: "\n")
    }
}

struct ArtistName: Record {
    /// The number of the `SearchRow`.
    let row: Int64
    let name: String

    static let table: StaticString = "artist_search"

    init(row: Int64, name: String) { (self.row, self.name) = (row, name) }

    init(_ column: borrowing RecordColumns<Self>) throws {
        row = try column("rowid", \.row, .key)
        name = try column("name", \.name)
    }
}
