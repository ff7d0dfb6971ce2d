import Foundation

/// The report of affiliates' sales as a file.
package enum AffiliateReport {
    /// The longest time that one report is about, days.
    package static let longestRange = 366
    /// As many lines as a report may have.
    package static let lineLimit = 20_000

    private static let columns = [
        "Day", "Affiliate", "Token", "Campaign", "Sales", "Refunds", "Currency", "Revenue",
        "Commission",
    ]

    /// A table of comma-separated values (RFC 4180); amounts in units of their currency, below
    /// zero where more was given back than paid.
    package static func csv(_ lines: [AffiliateReportLine]) -> String {
        var text = CSVRow.text(columns)
        for line in lines {
            text += CSVRow.text([
                line.day.description, line.affiliate.name, line.affiliate.token, line.campaign,
                String(line.sales), String(line.refunds), line.revenue.currency,
                "\(line.revenue.decimal)", "\(line.commission.decimal)",
            ])
        }
        return text
    }
}
