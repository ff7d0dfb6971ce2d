import Foundation

/// What a store does by itself, from time to time, once whoever does it.
package enum StoreJob: String, Sendable, Hashable, CaseIterable {
    case listingApps = "LISTING_APPS"
    case rankingItems = "RANKING_ITEMS"
    case collectingContent = "COLLECTING_CONTENT"
    case forgettingNotifications = "FORGETTING_NOTIFICATIONS"
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
