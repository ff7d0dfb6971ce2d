import Foundation
import StoreCore
import StoreModel

/// A list of the best, as a feed: what is asked for.
struct ChartFeed: Hashable, Sendable {
    var collection: ChartCollection
    var storefront: Storefront
    /// The number of a genre; nil for all.
    var genre: Int?
    var limit: Int
    var includesExplicit: Bool

    private static let usualLimit = 10
    private static let largestLimit = 200

    /// - Parameters:
    ///   - parts: what stands in the path behind the list's name, `limit=10` and `genre=6014`.
    ///   - storefront: whose customers see the list.
    /// - Throws: `ParameterRefusal`; with the status 404 for a list that there is not.
    init(_ name: String, _ parts: FeedParts, in storefront: Storefront) throws {
        guard let collection = ChartCollection.named(name) else {
            throw ParameterRefusal(key: "feed", status: 404)
        }
        self.collection = collection
        self.storefront = storefront
        limit = min(
            try parts["limit"].map { try QueryParameters.count($0, key: "limit") }
                ?? Self.usualLimit, Self.largestLimit)
        if let text = parts["genre"] {
            guard let number = Int(text), Genre.numbered(number) != nil else {
                throw ParameterRefusal(key: "genre")
            }
            // The root of a medium stands for all of it.
            genre = Genre.numbered(number)?.parent == nil ? nil : number
        }
        switch parts["explicit"] {
        case nil, "true", "yes": includesExplicit = true
        case "false", "no": includesExplicit = false
        default: throw ParameterRefusal(key: "explicit")
        }
    }

    var chart: ItemChart {
        ItemChart(
            kinds: collection.kinds, rank: collection.rank, genre: genre, storefront: storefront,
            includesExplicit: includesExplicit, isFree: collection.isFree,
            isForTablets: collection.isForTablets)
    }

    func address(_ links: StorefrontLinks, _ format: FeedFormat) -> String {
        let genre = genre.map { "/genre=\($0)" } ?? ""
        let explicit = includesExplicit ? "" : "/explicit=false"
        return "\(links.home(of: storefront))/rss/\(collection.name)/limit=\(limit)\(genre)"
            + "\(explicit)/\(format.rawValue)"
    }
}

/// Parameters that stand in the path of a feed, `name=value`; a number alone is a genre.
struct FeedParts: Sendable {
    private var values: [String: String] = [:]

    init(_ segments: some Sequence<String>) {
        for segment in segments {
            let pair = segment.split(scalar: "=", maxSplits: 1).map(String.init)
            let name = pair.count == 2 ? pair[0].lowercased() : "genre"
            guard let value = pair.last, values[name] == nil else { continue }
            values[name] = value
        }
    }

    subscript(name: String) -> String? { values[name] }
}

/// A list that there are feeds of.
struct ChartCollection: Hashable, Sendable {
    let name: String
    let title: String
    let kinds: Set<ItemKind>
    let rank: ItemChart.Rank
    /// What the rank does not say: whether only what costs nothing, or something, is in it.
    var isFree: Bool?
    /// Only apps that are made for tablets too.
    var isForTablets = false

    /// The list of a name, in any case.
    static func named(_ name: String) -> ChartCollection? { byName[name.lowercased()] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static let all: [ChartCollection] = [
        .init(name: "topapplications", title: "Top Apps", kinds: [.software], rank: .all),
        .init(name: "topfreeapplications", title: "Top Free Apps", kinds: [.software], rank: .free),
        .init(name: "toppaidapplications", title: "Top Paid Apps", kinds: [.software], rank: .paid),
        .init(
            name: "topgrossingapplications", title: "Top Grossing Apps", kinds: [.software],
            rank: .grossing),
        .init(
            name: "topfreeipadapplications", title: "Top Free iPad Apps", kinds: [.software],
            rank: .free, isForTablets: true),
        .init(
            name: "toppaidipadapplications", title: "Top Paid iPad Apps", kinds: [.software],
            rank: .paid, isForTablets: true),
        .init(
            name: "topgrossingipadapplications", title: "Top Grossing iPad Apps",
            kinds: [.software], rank: .grossing, isForTablets: true),
        .init(name: "newapplications", title: "New Apps", kinds: [.software], rank: .new),
        .init(
            name: "newfreeapplications", title: "New Free Apps", kinds: [.software], rank: .new,
            isFree: true),
        .init(
            name: "newpaidapplications", title: "New Paid Apps", kinds: [.software], rank: .new,
            isFree: false),
        .init(name: "topmacapps", title: "Top Mac Apps", kinds: [.macSoftware], rank: .all),
        .init(
            name: "topfreemacapps", title: "Top Free Mac Apps", kinds: [.macSoftware], rank: .free),
        .init(
            name: "toppaidmacapps", title: "Top Paid Mac Apps", kinds: [.macSoftware], rank: .paid),
        .init(
            name: "topgrossingmacapps", title: "Top Grossing Mac Apps", kinds: [.macSoftware],
            rank: .grossing),
        .init(name: "toppodcasts", title: "Top Podcasts", kinds: [.podcast], rank: .all),
        .init(name: "topsongs", title: "Top Songs", kinds: [.song], rank: .all),
        .init(name: "topalbums", title: "Top Albums", kinds: [.album], rank: .all),
        .init(name: "topmusicvideos", title: "Top Music Videos", kinds: [.musicVideo], rank: .all),
        .init(name: "topmovies", title: "Top Movies", kinds: [.movie, .shortFilm], rank: .all),
        .init(name: "toptvepisodes", title: "Top TV Episodes", kinds: [.tvEpisode], rank: .all),
        .init(name: "toptvseasons", title: "Top TV Seasons", kinds: [.tvSeason], rank: .all),
        .init(name: "topaudiobooks", title: "Top Audiobooks", kinds: [.audiobook], rank: .all),
        .init(name: "topfreeebooks", title: "Top Free Books", kinds: [.ebook], rank: .free),
        .init(name: "toppaidebooks", title: "Top Paid Books", kinds: [.ebook], rank: .paid),
    ]
}
