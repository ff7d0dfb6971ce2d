import Foundation
import StoreCore
import StoreModel

/// Makes exports of the partner feed in a folder: a full one each week, from Wednesday on, and
/// on other days what has changed.
package struct FeedService: Sendable {
    /// Full exports that are kept, with what was added to each.
    package static let keptWeeks = 4

    private let database: any ShopDatabase
    private let clock: any StoreClock
    private let pageSize: Int

    /// - Parameter pageSize: items that are read at a time.
    package init(database: any ShopDatabase, clock: any StoreClock, pageSize: Int = 500) {
        self.database = database
        self.clock = clock
        self.pageSize = pageSize
    }

    /// What is due in a folder: a full export where there is none of this week, an incremental
    /// one where none was made today; nil for nothing.
    package func due(in folder: FeedFolder) -> FeedMode? {
        guard let today = CalendarDay(of: clock.now()) else { return nil }
        guard let week = folder.weeks().last, week >= today.wednesday,
            let newest = folder.newest()?.day
        else { return .full }
        return newest < today ? .incremental : nil
    }

    /// Makes an export; the ones before stay as they are until it is whole, and whatever
    /// happens before.
    ///
    /// - Parameters:
    ///   - links: make the addresses of pages and pictures in it.
    ///   - progress: hears of each page of items.
    /// - Throws: `FeedError`, with `busy` where another process makes one, with `noFullExport`
    ///   where an incremental one has nothing to add to, and with `clock` where the newest one is
    ///   of a later day; `CancellationError`.
    package func export(
        _ mode: FeedMode, to folder: FeedFolder, links: StorefrontLinks,
        progress: @escaping @Sendable (FeedProgress) -> Void = { _ in }
    ) async throws -> FeedReport {
        let lock = try folder.lock()
        defer { withExtendedLifetime(lock) {} }
        return try await make(mode, in: folder, links: links, progress: progress)
    }

    /// Makes an export; for who has the folder's lock.
    private func make(
        _ mode: FeedMode, in folder: FeedFolder, links: StorefrontLinks,
        progress: @escaping @Sendable (FeedProgress) -> Void
    ) async throws -> FeedReport {
        let now = clock.now()
        guard let day = CalendarDay(of: now) else {
            throw FeedError(.disk, "the clock shows no day of the years 1 to 9999; set it")
        }
        try checkClock(day, in: folder, byDays: 0)
        let base = mode == .full ? nil : folder.base(ofIncrementalOn: day)
        guard mode == .full || base != nil else {
            throw FeedError(
                .noFullExport,
                "\(folder.root.path) has no full export yet that an incremental one could add to; "
                    + "make a full one first")
        }
        let partial = try folder.makePartial()
        defer { try? FileManager.default.removeItem(at: partial) }
        let archives = partial.appendingPathComponent("archives")
        let export = FeedExport(
            database: database, links: links, pageSize: pageSize, progress: progress)
        let report = try await export.run(
            FeedPlan(mode: mode, day: day, base: base), at: now,
            into: archives, scratch: partial.appendingPathComponent("scratch"))
        try folder.publish(archives, report, of: day)
        try folder.keepNewest(Self.keptWeeks)
        return report
    }

    /// Makes the export that is due.
    ///
    /// - Returns: what was written; nil where nothing was due.
    /// - Throws: as `export`.
    package func exportIfDue(
        to folder: FeedFolder, links: StorefrontLinks
    ) async throws -> FeedReport? {
        if let today = CalendarDay(of: clock.now()) {
            // One day back is a clock that was set right around midnight: it waits.
            try checkClock(today, in: folder, byDays: 1)
        }
        guard due(in: folder) != nil else { return nil }
        let lock = try folder.lock()
        defer { withExtendedLifetime(lock) {} }
        // Somebody may have made it in between.
        guard let mode = due(in: folder) else { return nil }
        return try await make(mode, in: folder, links: links, progress: { _ in })
    }

    /// An export is named by its day: one of an earlier day would be taken for an old one, and
    /// the first to be taken away.
    private func checkClock(_ day: CalendarDay, in folder: FeedFolder, byDays days: Int) throws {
        guard let newest = folder.newest()?.day,
            newest.beginning.timeIntervalSince(day.beginning) > 86_400 * Double(days)
        else { return }
        throw FeedError(
            .clock,
            "the newest export in \(folder.root.path) is of \(newest), and the clock shows \(day); "
                + "set the clock, or take the exports of later days out of the folder")
    }
}
