import Foundation
import StoreDatabase

/// What a store does by itself, from time to time, once whoever does it.
package enum StoreJob: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    /// Brings the storefront's items of apps up to date.
    case listingApps = "LISTING_APPS"
    /// Computes how popular items are.
    case rankingItems = "RANKING_ITEMS"
    /// Deletes content, uploads and media that nobody needs any more.
    case collectingContent = "COLLECTING_CONTENT"
    /// Deletes notifications that are older than the history reaches, and refusals of orders and
    /// signatures of offers that are too old to come again.
    case forgettingNotifications = "FORGETTING_NOTIFICATIONS"
    /// Writes exports of the partner feed that are due.
    case exportingFeed = "EXPORTING_FEED"
    /// Its `last` is what was believed of the clock last.
    case watchingClock = "WATCHING_CLOCK"
}
