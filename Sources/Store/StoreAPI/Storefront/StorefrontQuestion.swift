import StoreCore
import StoreHTTP
import StoreModel

/// What a request asks the storefront for, checked: an answer is kept by it.
enum StorefrontQuestion: Hashable, Sendable {
    case search(SearchParameters)
    case lookup(LookupParameters)
    case bubbles(SearchParameters)
    /// - Parameter id: the number of a genre; nil for all.
    case genres(id: Int?, Storefront)
    case chart(ChartFeed, FeedFormat)
    case reviews(ReviewFeed, FeedFormat)
    case ratings(ItemID, Storefront)

    /// - Throws: `ParameterRefusal`.
    init(_ operation: StorefrontOperation, _ request: HTTPRequest) throws {
        let query = QueryParameters(request.query)
        let path = request.parameters
        switch operation {
        case .search: self = .search(try SearchParameters(query))
        case .lookup: self = .lookup(try LookupParameters(query))
        case .countrySearch: self = .search(try SearchParameters(query, country: path[0]))
        case .countryLookup: self = .lookup(try LookupParameters(query, country: path[0]))
        case .genres: self = try Self.genres(query)
        case .bubbles: self = .bubbles(try Self.bubbles(query, request.headers))
        case .ratings:
            guard let number = path[1].dropping(prefix: "id"), let id = ItemID(String(number))
            else {
                throw ParameterRefusal(key: "id", status: 404)
            }
            self = .ratings(id, try query.storefront(path: path[0]))
        case .feed:
            let storefront = try query.storefront(path: path[0])
            self = try Self.feed(path[1], path.dropFirst(2)) { _ in storefront }
        case .legacyFeed:
            self = try Self.feed(path[0], path.dropFirst()) { parts in
                try Self.storefront(numbered: query["s"] ?? parts["sf"])
            }
        }
    }

    private static func genres(_ query: QueryParameters) throws -> StorefrontQuestion {
        let storefront = try query.storefront(path: nil, name: "cc")
        guard let text = query["id"] else { return .genres(id: nil, storefront) }
        guard QueryParameters.isDigits(text), let id = Int(text) else {
            throw ParameterRefusal(key: "id")
        }
        return .genres(id: id, storefront)
    }

    /// A search for apps by whoever says its storefront in a header: `143441,24 t:native`.
    private static func bubbles(
        _ query: QueryParameters, _ headers: HTTPHeaders
    ) throws -> SearchParameters {
        var search = try SearchParameters(query)
        if let header = headers["X-Apple-Store-Front"] {
            let number = header.prefix { $0.isASCII && $0.isNumber }
            search.storefront = try storefront(numbered: String(number))
        }
        if query["media"] == nil, query["entity"] == nil {
            search.entities = [.software]
            search.kinds = [.software]
        }
        if query["limit"] == nil { search.limit = 200 }
        return search
    }

    private static func feed(
        _ name: String, _ rest: ArraySlice<String>,
        in storefront: (FeedParts) throws -> Storefront
    ) throws -> StorefrontQuestion {
        guard let format = rest.last.flatMap({ FeedFormat(rawValue: $0.lowercased()) }) else {
            throw ParameterRefusal(key: "output", status: 404)
        }
        let parts = FeedParts(rest.dropLast())
        let storefront = try storefront(parts)
        if name.lowercased() == "customerreviews" {
            return .reviews(try ReviewFeed(parts, in: storefront), format)
        }
        return .chart(try ChartFeed(name, parts, in: storefront), format)
    }

    /// The storefront of a number, `143441`; the United States where there is none.
    private static func storefront(numbered text: String?) throws -> Storefront {
        guard let text else { return .unitedStates }
        guard let storefront = Storefront.all.first(where: { $0.identifier == text }) else {
            throw ParameterRefusal(key: "country")
        }
        return storefront
    }

    /// The bytes that it takes to remember the question.
    var size: Int {
        switch self {
        case .search(let search), .bubbles(let search): 400 + (search.term?.utf8.count ?? 0)
        case .lookup(let lookup): 400 + 100 * lookup.keys.count
        case .genres, .chart, .reviews, .ratings: 400
        }
    }
}
