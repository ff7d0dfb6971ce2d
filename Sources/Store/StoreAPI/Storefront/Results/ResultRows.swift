import StoreCore
import StoreKernel
import StoreModel

/// Results of items, written and kept: an answer is made by putting them one behind another.
final class ResultRows: Sendable {
    /// For whom a result is written.
    struct Audience: Hashable, Sendable {
        let storefront: Storefront
        /// Nil for the storefront's own.
        let locale: String?
        let context: StorefrontContext
    }

    private struct Key: Hashable, Sendable {
        let item: ItemID
        let storefront: String
        let locale: String?
        let context: StorefrontContext

        init(_ item: ItemID, _ audience: Audience) {
            self.item = item
            storefront = audience.storefront.code
            locale = audience.locale
            context = audience.context
        }
    }

    /// What an entry takes beside the bytes of the result.
    private static let entrySize = 200

    let prices = PriceTexts()
    private let services: APIServices
    private let rows: Cache<Key, [UInt8]>

    /// - Parameter room: for results, in bytes.
    init(services: APIServices, room: Int) {
        self.services = services
        rows = Cache(limit: room, cost: { $1.count + Self.entrySize })
    }

    /// The results of those items that customers of the storefront see.
    func rows(
        _ ids: [ItemID], for audience: Audience, at generation: Int64
    ) async throws -> [ItemID: [UInt8]] {
        var rows: [ItemID: [UInt8]] = [:]
        var missing: [ItemID] = []
        for id in ids where rows[id] == nil {
            if let row = self.rows.value(for: Key(id, audience), version: generation) {
                rows[id] = row
            } else {
                missing.append(id)
            }
        }
        guard !missing.isEmpty else { return rows }
        let items = try await services.storefront.seen(in: audience.context.environment).items(
            missing, in: audience.storefront, locale: audience.locale)
        for item in items { rows[item.id] = row(item, for: audience, at: generation) }
        return rows
    }

    /// The result of an item that was read at a generation or later.
    func row(_ item: StorefrontItem, for audience: Audience, at generation: Int64) -> [UInt8] {
        let key = Key(item.id, audience)
        return rows.value(for: key, version: generation) {
            ItemResult(item: item, links: audience.context.links, prices: prices).bytes
        }
    }
}
