import Foundation

/// Tells publishers what they have sold.
package struct SalesService: Sendable {
    private let shop: Shop
    private let lineLimit: Int

    /// - Parameter lineLimit: as many lines as a report may have.
    package init(
        database: any ShopDatabase, clock: any StoreClock, lineLimit: Int = SalesReport.lineLimit
    ) {
        shop = Shop(database: database, clock: clock)
        self.lineLimit = lineLimit
    }

    /// Today, in the store's calendar.
    package var today: SalesDay { SalesDay(shop.clock.now()) }

    /// A report about the sales of the team that is acted for; about those of all teams for
    /// the store's staff.
    ///
    /// - Throws: `ConnectRefusal`.
    package func report(_ query: SalesQuery, by actor: ConnectActor) async throws -> SalesReport {
        try actor.require(.viewSales)
        let lineLimit = lineLimit
        return try await shop.read(as: actor) { work in
            if let app = query.app { _ = try work.app(app) }
            var report = SalesReport(query)
            try work.sales.read(query, of: actor.team) { row in
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
        try await shop.read(as: actor, requiring: .viewSales) { work in
            try work.catalog.apps().filter { actor.sees(team: $0.teamID) }
        }
    }
}
