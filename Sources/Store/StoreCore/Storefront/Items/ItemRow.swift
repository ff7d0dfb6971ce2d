import Foundation
import StoreDatabase
import StoreKernel
import StoreModel

extension Item: Record {
    package static let table: StaticString = "item"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        team = try column("team", \.team, .immutable)
        state = try column("state", \.state)
        takenDown = try column("taken_down", \.takenDown)
        // Sales and ratings change it, whatever was read before.
        popularity = try column("popularity", \.popularity, .immutable)
        created = try column("created", \.created, .immutable)
        changed = try column("changed", \.changed)
        details = try column.part(\.details)
        column.derived("search_row", \.searchRow)
    }

    private var searchRow: Int64? { ItemSearchIndex.row(of: self) }
}

extension ItemDetails: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        kind = try column("kind", \.kind, .immutable)
        app = try column("app", \.app, .immutable)
        artist = try column("artist", \.artist)
        parent = try column("parent", \.parent)
        // Earlier programs put apps without a genre into the root of all apps.
        genres = try column("genres", \.genreNumbers).numbers
            .filter { [kind] in !kind.isApp || Genre.isCategory($0) }
        releaseDate = try column("release_date", \.releaseDate)
        explicitness = try column("explicitness", \.explicitness)
        primaryLocale = try column("primary_locale", \.primaryLocale)
        texts = try column.json("texts", \.texts, sample: [:])
        prices = try column.json(
            "prices", \.prices, sample: ItemPrices(tier: "1"), cache: Self.priceCache)
        rentalPrices = try column.optionalJSON(
            "rental_prices", \.rentalPrices, sample: ItemPrices(tier: "2"))
        bundleID = try column("bundle_id", \.bundleID)
        upc = try column("upc", \.upc)
        isbn = try column("isbn", \.isbn)
        amgAlbumID = try column("amg_album", \.amgAlbumID)
        amgVideoID = try column("amg_video", \.amgVideoID)
        facts = try column.json("facts", \.facts, sample: ItemFacts(), cache: Self.factsCache)
        column.derived("title", \.title)
        column.derived("disc", \.disc)
        column.derived("position", \.position)
        column.derived("is_free", \.prices.isFree)
        column.derived("is_free_somewhere", \.prices.isFreeSomewhere)
        column.derived("storefronts", \.storefrontMarks)
    }

    // An import of a million items reads each of them. Most have one of few price tiers, and many
    // have no facts. Long texts are rarely the same.
    private static let priceCache = JSONColumnCache<ItemPrices>(limit: 64 << 10, longest: 80)
    private static let factsCache = JSONColumnCache<ItemFacts>(limit: 64 << 10, longest: 80)

    private var genreNumbers: GenreNumbers { GenreNumbers(numbers: genres) }
    private var disc: Int { facts.discNumber ?? 1 }
    private var position: Int { facts.trackNumber ?? 0 }

    /// `:JPN:USA:`; nil for all storefronts.
    private var storefrontMarks: String? {
        prices.shownIn.map { ":" + $0.map { $0 + ":" }.joined() }
    }
}

extension Explicitness: TextColumnValue {}

/// Numbers with commas between them.
private struct GenreNumbers: TextColumnValue {
    let numbers: [Int]

    init(numbers: [Int]) { self.numbers = numbers }

    init(columnText: String) {
        numbers = columnText.split(scalar: ",").compactMap { Int($0) }
    }

    var columnText: String { numbers.map(String.init).joined(separator: ",") }

    /// A genre that reading leaves in, whatever the kind.
    static func sample(_ number: Int) -> GenreNumbers { GenreNumbers(numbers: [6014]) }
}
