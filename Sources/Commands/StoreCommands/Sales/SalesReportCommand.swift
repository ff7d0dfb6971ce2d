import StoreCore
import StoreModel
import StoreWire

/// `openstore sales report`
enum SalesReportCommand: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["sales", "report"], summary: "Tell units, refunds and proceeds.",
        discussion: """
            Proceeds are 70 % of what customers paid, less what was given back; amounts of
            different currencies are not added. Days are those of UTC.
            """,
        options: [
            .value("from", "DAY", "Such as 2026-11-01; 30 days before --to unless given."),
            .value("to", "DAY", "Today unless given."),
            .value("app", "ID", "One app, by its numeric identifier; all unless given."),
            .value("environment", "production|sandbox", "Production unless given."),
            .value(
                "by", "day|product|territory",
                "A line for each, or with commas for each combination."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        var query = connect.query(["app": "filter[app]"])
        for name in ["from", "to"] {
            query["filter[\(name)]"] = try arguments.value(
                name, "a day such as 2026-11-21", { SalesDay($0) })?.text
        }
        query["filter[environment]"] = try arguments.value(
            "environment", "production or sandbox"
        ) { ["production", "sandbox"].contains($0) ? $0.uppercased() : nil }
        query["filter[by]"] = try arguments.value("by", "day, product or territory") {
            text -> String? in
            let parts = text.split(scalar: ",").map(String.init)
            let known = parts.allSatisfy { ["day", "product", "territory"].contains($0) }
            return known && !parts.isEmpty ? text.uppercased() : nil
        }
        let lines = try await connect.api.list("/openstore/v1/salesReports", query)
        connect.show.list(
            lines,
            [
                .attribute("DAY", "day"), .attribute("PRODUCT", "productId"),
                .attribute("ITEM", "itemId"), .attribute("TITLE", "itemTitle"),
                .attribute("TERRITORY", "territory"), .attribute("UNITS", "units"),
                .attribute("REFUNDS", "refunds"),
                amounts("SALES", "sales"), amounts("PROCEEDS", "proceeds"),
            ].filter { column in
                // Columns for what isn't asked for would be empty.
                lines.contains { !column.value($0).isEmpty }
            }, empty: "Nothing was sold.")
    }

    private static func amounts(_ title: String, _ name: String) -> ConnectRenderer.Column {
        ConnectRenderer.Column(title) { line in
            (line["attributes"]?["amounts"]?.elements ?? []).map {
                "\($0[name]?.text ?? "") \($0["currency"]?.text ?? "")"
            }.joined(separator: ", ")
        }
    }
}
