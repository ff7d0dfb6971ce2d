import Foundation
import StoreModel

/// Computes anew how popular items are: once a day, from what was sold and rated.
package struct PopularityService: Sendable {
    /// Items of one transaction.
    private static let step = 1_000
    private static let day: TimeInterval = 86_400

    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// - Returns: how many items have another rank now.
    package func recompute() async throws -> Int {
        let now = shop.clock.now()
        let month = now.addingTimeInterval(-30 * Self.day)
        let year = now.addingTimeInterval(-365 * Self.day)
        var (last, changed): (ItemID?, Int) = (nil, 0)
        while true {
            try Task.checkCancellation()
            let after = last
            // Reading belongs to the transaction that writes: no sale falls between them.
            let (end, count) = try await shop.write { work in
                let metrics = try work.popularity.metrics(
                    after: after, month: month, year: year, limit: Self.step)
                var count = 0
                for item in metrics {
                    let popularity = PopularityRules.popularity(item)
                    let gross = PopularityRules.gross(item)
                    guard popularity != item.popularity || gross != item.gross else { continue }
                    try work.popularity.rank(item.item, popularity: popularity, gross: gross)
                    count += 1
                }
                return (metrics.last?.item, count)
            }
            changed += count
            guard let end else { break }
            last = end
        }
        try await rankArtists()
        return changed
    }

    private func rankArtists() async throws {
        var last: ArtistID?
        while true {
            try Task.checkCancellation()
            let after = last
            last = try await shop.write {
                try $0.popularity.rankArtists(after: after, limit: Self.step)
            }
            if last == nil { return }
        }
    }
}
