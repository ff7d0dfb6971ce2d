import Foundation

/// What a store does by itself, from time to time, once whoever does it.
package enum StoreJob: String, Sendable, Hashable, CaseIterable {
    /// Brings the storefront's items of apps up to date.
    case listingApps = "LISTING_APPS"
    /// Computes how popular items are.
    case rankingItems = "RANKING_ITEMS"
    /// Deletes content, uploads and media that nobody needs any more.
    case collectingContent = "COLLECTING_CONTENT"
    /// Deletes notifications that are older than the history reaches.
    case forgettingNotifications = "FORGETTING_NOTIFICATIONS"
    /// Writes exports of the partner feed that are due.
    case exportingFeed = "EXPORTING_FEED"
    /// Its `last` is what was believed of the clock last.
    case watchingClock = "WATCHING_CLOCK"
}

/// Who does which job, and when it was done.
package struct JobStanding: Sendable, Hashable {
    /// Who has it; nil where nobody does.
    package let holder: String?
    /// Until when nobody else gets it.
    package let leaseEnd: Date
    /// When it was last begun that came to its end; nil for never.
    package let last: Date?

    package init(holder: String?, leaseEnd: Date, last: Date?) {
        self.holder = holder
        self.leaseEnd = leaseEnd
        self.last = last
    }
}

/// Jobs of the store, and who has them.
package protocol JobRepository {
    /// Nil for one that was never taken.
    func standing(of job: StoreJob) throws -> JobStanding?
    func save(_ standing: JobStanding, of job: StoreJob) throws
    /// When the last thing happened that the database knows of; nil where nothing has.
    func lastEvent() throws -> Date?
}
