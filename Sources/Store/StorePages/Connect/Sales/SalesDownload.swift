import Foundation
import StoreCore
import StoreModel

/// Sales by day, product and territory as a table of comma-separated values (RFC 4180).
enum SalesDownload {
    static func send(_ call: PortalCall) async throws -> PortalAnswer {
        let selection = try SalesSelection(call)
        let sales = call.services.sales
        let report = try await sales.report(
            try selection.query([.day, .product, .territory]), by: call.actor)
        let apps = try await sales.apps(by: call.actor)
        let names = Dictionary(apps.map { ($0.id, $0.bundleID.text) }) { first, _ in first }
        return .download(
            Data(text(report, apps: names).utf8), type: "text/csv; charset=utf-8",
            name: "sales-\(selection.environment.word)-\(selection.first.text)-"
                + "\(selection.last.text).csv")
    }

    private static let columns = [
        "Day", "App", "Product", "Territory", "Units", "Refunds", "Currency", "Sales", "Refunded",
        "Proceeds",
    ]

    /// - Parameter apps: their bundle identifiers.
    static func text(_ report: SalesReport, apps: [AppID: String]) -> String {
        var text = CSVRow.text(columns)
        for line in report.lines {
            let key = line.key
            let subject = [
                key.day?.text ?? "", key.app.flatMap { apps[$0] } ?? "", key.subject ?? "",
                key.territory ?? "",
            ]
            let currencies = line.totals.currencies
            // Units stand in one line each, also where there are amounts in two currencies.
            for (index, currency) in (currencies.isEmpty ? [""] : currencies).enumerated() {
                let amounts = line.totals.amounts[currency] ?? SalesAmounts()
                let counts = index == 0 ? [line.totals.units, line.totals.refunds] : [0, 0]
                let money = [amounts.sales, amounts.refunded, amounts.proceeds]
                text += CSVRow.text(
                    subject + counts.map(String.init) + [currency]
                        + money.map { "\(Decimal($0) / 1000)" })
            }
        }
        return text
    }
}
