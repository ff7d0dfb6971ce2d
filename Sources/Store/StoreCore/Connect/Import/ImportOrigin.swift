import StoreModel

/// The app that a file says it is for.
package struct ImportOrigin: Sendable, Hashable {
    /// Nil where the file doesn't say.
    package var sku: String?
    package var skuLine: Int?
    /// The app's numeric identifier; nil where the file doesn't say.
    package var number: Int64?
    package var numberLine: Int?

    package init(
        sku: String? = nil, skuLine: Int? = nil, number: Int64? = nil, numberLine: Int? = nil
    ) {
        self.sku = sku
        self.skuLine = skuLine
        self.number = number
        self.numberLine = numberLine
    }

    /// - Throws: `ImportRefusal` with the rule `otherApp`.
    func check(_ app: App, _ repositories: StoreRepositories) throws {
        var problems: [ImportRefusal.Problem] = []
        if let sku, let known = try repositories.apps.record(app.id)?.sku, known != sku {
            problems.append(
                Self.problem(
                    skuLine,
                    "The file is for the app with the SKU \(quoted(sku)); \(app.name) has "
                        + "\(quoted(known))."))
        }
        if let number, number != app.id.number {
            problems.append(
                Self.problem(
                    numberLine,
                    "The file is for the app \(number); \(app.name) is "
                        + "\(app.id.number)."))
        }
        guard problems.isEmpty else { throw ImportRefusal(problems) }
    }

    private static func problem(_ line: Int?, _ problem: String) -> ImportRefusal.Problem {
        ImportRefusal.Problem(
            line: line, productID: nil,
            ConnectRefusal(
                .invalid, rule: "otherApp", field: "app", problem,
                help: "Import it into that app, or change the line if its products are meant for "
                    + "this one."))
    }
}
