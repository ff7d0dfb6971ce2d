import Foundation
import StoreCore
import StoreFeed

/// Makes exports of the partner feed when they are due, in a store that has an active partner.
package struct FeedJob: Sendable {
    private let store: Store
    private let links: StorefrontLinks

    /// - Parameter address: scheme and host at which customers reach the store.
    package init(store: Store, address: String) {
        self.store = store
        self.links = StorefrontLinks(base: address)
    }

    /// Makes what is due; what was broken off is begun again.
    ///
    /// - Returns: what was written; nil where nothing was due, nobody wants it, or another
    ///   process is at it.
    /// - Throws: `FeedError`, `CancellationError`.
    @discardableResult
    package func runIfDue() async throws -> FeedReport? {
        guard try await hasPartner() else { return nil }
        let report: FeedReport?
        do {
            report = try await store.feed.exportIfDue(to: store.feedFolder, links: links)
        } catch let error as FeedError where error.code == .busy {
            return nil
        }
        guard let report else { return nil }
        store.log.write(
            .info, .feedExported,
            [
                "mode": report.mode.rawValue, "day": report.dayDigits,
                "records": "\(report.records)",
                "bytes": "\(report.archives.reduce(0) { $0 + $1.size })",
            ])
        return report
    }

    private func hasPartner() async throws -> Bool {
        var cursor: String?
        repeat {
            let request = PageRequest(limit: 200, cursor: cursor)
            let page = try await store.database.read { try $0.feedPartners.page(request) }
            if page.items.contains(where: \.isActive) { return true }
            cursor = page.next
        } while cursor != nil
        return false
    }
}
