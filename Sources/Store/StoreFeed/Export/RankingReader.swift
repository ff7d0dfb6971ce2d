import StoreCore
import StoreModel

/// Reads free and paid items of a kind in pages, and gives them as one list, the most popular
/// first.
struct RankingReader {
    let database: any ShopDatabase
    let kind: ItemKind
    let pageSize: Int
    private var free: [FeedRank] = []
    private var paid: [FeedRank] = []
    private var lastFree: FeedRank?
    private var lastPaid: FeedRank?
    private var hasMoreFree = true
    private var hasMorePaid = true

    init(database: any ShopDatabase, kind: ItemKind, pageSize: Int) {
        self.database = database
        self.kind = kind
        self.pageSize = pageSize
    }

    /// The next ones, at most a page; none at the end.
    mutating func next() async throws -> [FeedRank] {
        var found: [FeedRank] = []
        while found.count < pageSize {
            try await refill()
            if let rank = free.first, paid.first.map({ Self.isBefore(rank, $0) }) ?? true {
                found.append(free.removeFirst())
            } else if let rank = paid.first {
                found.append(rank)
                paid.removeFirst()
            } else {
                return found
            }
        }
        return found
    }

    private mutating func refill() async throws {
        if free.isEmpty, hasMoreFree {
            free = try await page(isFree: true, after: lastFree)
            lastFree = free.last ?? lastFree
            hasMoreFree = !free.isEmpty
        }
        if paid.isEmpty, hasMorePaid {
            paid = try await page(isFree: false, after: lastPaid)
            lastPaid = paid.last ?? lastPaid
            hasMorePaid = !paid.isEmpty
        }
    }

    private func page(isFree: Bool, after: FeedRank?) async throws -> [FeedRank] {
        let (kind, limit) = (kind, pageSize)
        return try await database.read { repositories in
            try repositories.feed.ranking(of: kind, isFree: isFree, after: after, limit: limit)
        }
    }

    private static func isBefore(_ one: FeedRank, _ other: FeedRank) -> Bool {
        one.popularity == other.popularity
            ? one.item < other.item : one.popularity > other.popularity
    }
}
