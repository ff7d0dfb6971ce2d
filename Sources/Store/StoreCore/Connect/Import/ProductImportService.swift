import Foundation
import StoreModel

/// Imports many products from a file, whole or not at all.
///
/// Each product goes through the rules that hold when it is edited by hand: an import doesn't
/// undo a review, texts of a product on sale become a revision of it, and what reviewers have
/// can't be changed. Products that the file doesn't list stay as they are.
package struct ProductImportService: Sendable {
    private let database: any StoreDatabase
    private let clock: any StoreClock

    package init(database: any StoreDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// As many products as one app may have.
    package static let productLimit = 10_000

    /// Imports a file in one transaction.
    ///
    /// - Parameters:
    ///   - origin: the app that the file says it is for.
    ///   - isRehearsal: does everything, and then takes it back: what is told is what would
    ///     happen.
    ///   - record: hears of each product that is added or changed.
    /// - Throws: `ConnectRefusal` for who asks and for the app, `ImportRefusal` for what the
    ///   file lists.
    package func run(
        _ listing: any ProductListing, into app: AppID, origin: ImportOrigin, isRehearsal: Bool,
        record: any ImportRecord, by actor: ConnectActor
    ) async throws -> ImportCounts {
        try actor.require(.manageProducts)
        let now = clock.now()
        do {
            return try await database.write { repositories in
                let app = try ProductService.app(app, actor, repositories)
                try origin.check(app, repositories)
                try record.begin()
                let counts = try Self.run(
                    listing, into: app, record: record, by: actor, repositories, at: now)
                if isRehearsal { throw Rehearsal(counts: counts) }
                return counts
            }
        } catch let rehearsal as Rehearsal {
            return rehearsal.counts
        }
    }

    /// Takes a transaction back that was only to show what it would do.
    private struct Rehearsal: Error {
        let counts: ImportCounts
    }

    private static func run(
        _ listing: any ProductListing, into app: App, record: any ImportRecord,
        by actor: ConnectActor, _ repositories: any StoreRepositories, at now: Date
    ) throws -> ImportCounts {
        var counts = ImportCounts()
        var room = try productLimit - repositories.products.counts(of: app.id).values.reduce(0, +)
        var problems: [ImportRefusal.Problem] = []
        do {
            try listing.forEach { listed in
                var work = ListedProductWork(
                    listed, in: app, by: actor, repositories, at: now)
                do {
                    switch try work.run(room: room) {
                    case nil: counts.unchanged += 1
                    case let outcome?:
                        if outcome.kind == .added { room -= 1 }
                        counts.count(outcome.kind)
                        try record.add(outcome)
                    }
                } catch let refusal as ConnectRefusal {
                    problems.append(work.problem(refusal))
                    guard problems.count < ImportRefusal.limit else { throw Enough() }
                }
            }
        } catch is Enough {}
        guard problems.isEmpty else { throw ImportRefusal(problems) }
        if counts.added + counts.changed > 0 {
            try repositories.audit.append(
                AuditEntry(
                    team: app.teamID, actor: actor, action: "product.import",
                    subject: app.bundleID.text,
                    after: "\(counts.added) added, \(counts.changed) changed"), at: now)
        }
        return counts
    }

    /// As many problems as are named were found.
    private struct Enough: Error {}
}

extension ImportCounts {
    fileprivate mutating func count(_ kind: ImportOutcome.Kind) {
        switch kind {
        case .added: added += 1
        case .changed: changed += 1
        }
    }
}
