import Foundation
import StoreCore
import StoreModel

extension PortalRouteTable {
    /// What was sold.
    static let sales: [PortalRoute] = [
        .get("/sales", .viewSales, SalesPage.show),
        .get("/sales/report.csv", .viewSales, SalesDownload.send),
    ]
}

extension PortalServices {
    var sales: SalesService { SalesService(database: database, clock: clock) }
}

/// What a page about sales is asked for: as it was typed, and as a question to the store.
struct SalesSelection {
    let first: SalesDay
    let last: SalesDay
    let app: AppID?
    let environment: StoreEnvironment

    /// - Throws: `ConnectRefusal` for what can't be asked.
    init(_ call: PortalCall) throws {
        func day(_ name: String) throws -> SalesDay? {
            guard let text = call.query(name) else { return nil }
            guard let day = SalesDay(text) else {
                throw ConnectRefusal(
                    .invalid, rule: "salesDay", field: name, "This is no day of the store's.",
                    help: "Write one such as 2026-11-21.")
            }
            return day
        }
        self.init(
            today: call.services.sales.today, first: try day("from"), last: try day("to"),
            app: call.query("app").flatMap { TransactionID($0) }.map { AppID(number: $0.number) },
            environment: call.query("environment") == "sandbox" ? .sandbox : .production)
    }

    /// What is shown where nothing else is asked for.
    init(
        today: SalesDay, first: SalesDay? = nil, last: SalesDay? = nil, app: AppID? = nil,
        environment: StoreEnvironment = .production
    ) {
        self.last = last ?? today
        self.first = first ?? self.last.advanced(by: 1 - SalesQuery.standardRange)
        self.app = app
        self.environment = environment
    }

    /// - Throws: `ConnectRefusal` for a time that is too long or runs backwards.
    func query(_ grouping: SalesGrouping) throws -> SalesQuery {
        try SalesQuery(
            environment: environment, first: first, last: last, app: app, grouping: grouping)
    }

    /// The same for another page.
    func link(to path: String) -> String {
        PortalLink(
            path,
            [
                ("from", first.text), ("to", last.text),
                ("app", app.map { String($0.number) } ?? ""),
                ("environment", environment == .sandbox ? "sandbox" : ""),
            ]
        ).text
    }
}
