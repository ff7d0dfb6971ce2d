import StoreHTTP

/// Every route of the search, of lookups and of feeds, below each environment. Anyone may call
/// them, and all of them only read.
///
/// This is the only list: the router is made from it, and a test walks it.
package enum StorefrontRouteTable {
    package struct Row: Sendable, Hashable {
        package let method: HTTPMethod
        package let pattern: String
        package let access: RouteAccess
        package let operation: StorefrontOperation

        init(_ pattern: String, _ operation: StorefrontOperation) {
            self.method = .get
            self.pattern = pattern
            self.access = .anyone
            self.operation = operation
        }
    }

    package static let rows: [Row] =
        [
            Row("/search", .search), Row("/lookup", .lookup),
            Row("/{country}/search", .countrySearch), Row("/{country}/lookup", .countryLookup),
            // As programs from before 2011 call them.
            Row("/WebObjects/MZStoreServices.woa/wa/wsSearch", .search),
            Row("/WebObjects/MZStoreServices.woa/wa/wsLookup", .lookup),
            Row("/WebObjects/MZStoreServices.woa/ws/genres", .genres),
            Row("/WebObjects/MZStore.woa/wa/search", .bubbles),
            Row("/{country}/customer-reviews/{id}", .ratings),
        ] + feeds

    /// Patterns stand for whole segments, of which a feed has up to four between its name and its
    /// format: `/us/rss/topsongs/limit=10/genre=20/json`.
    private static let feeds: [Row] = (0...4).flatMap { count in
        let parts = (0..<count).map { "/{part\($0)}" }.joined()
        return [
            Row("/{country}/rss/{feed}\(parts)/{format}", .feed),
            Row("/WebObjects/MZStoreServices.woa/ws/RSS/{feed}\(parts)/{format}", .legacyFeed),
            // Programs that have no genre, or write a slash before it, leave a segment empty.
            Row("/WebObjects/MZStoreServices.woa/ws/RSS/{feed}/\(parts)/{format}", .legacyFeed),
        ]
    }
}

/// What a route does.
package enum StorefrontOperation: String, Sendable, Hashable, CaseIterable {
    case search
    case lookup
    /// With the country in the path.
    case countrySearch
    case countryLookup
    case genres
    /// Numbers of items only, as the App Store's own apps ask for them.
    case bubbles
    case ratings
    case feed
    /// With the storefront's number in the query.
    case legacyFeed
}
