import Foundation
import StoreModel

/// Tells publishers what they have sold.
package struct SalesService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock
    private let lineLimit: Int

    /// - Parameter lineLimit: as many lines as a report may have.
    package init(
        database: any ShopDatabase, clock: any StoreClock, lineLimit: Int = SalesReport.lineLimit
    ) {
        self.database = database
        self.clock = clock
        self.lineLimit = lineLimit
    }

    /// Today, in the store's calendar.
    package var today: SalesDay { SalesDay(clock.now()) }

    /// A report about the sales of the team that is acted for; about those of all teams for
    /// the store's staff.
    ///
    /// - Throws: `ConnectRefusal`.
    package func report(_ query: SalesQuery, by actor: ConnectActor) async throws -> SalesReport {
        try actor.require(.viewSales)
        let lineLimit = lineLimit
        return try await database.read { repositories in
            if let id = query.app {
                guard let app = try repositories.catalog.app(id), actor.sees(team: app.teamID)
                else { throw ConnectRefusal.notFound("app", String(id.number)) }
            }
            var report = SalesReport(query)
            try repositories.sales.read(query, of: actor.team) { row in
                report.add(row)
                guard report.lines.count <= lineLimit else {
                    throw ConnectRefusal(
                        .invalid, rule: "salesReportTooLong", field: "from",
                        "The report would have more than \(lineLimit) lines.",
                        help: "Ask for fewer days, for one app, or break it down by less.")
                }
            }
            return report
        }
    }

    /// The apps that there can be sales of.
    ///
    /// - Throws: `ConnectRefusal`.
    package func apps(by actor: ConnectActor) async throws -> [App] {
        try actor.require(.viewSales)
        return try await database.read { repositories in
            try repositories.catalog.apps().filter { actor.sees(team: $0.teamID) }
        }
    }
}
