import StoreModel
import StoreWire

/// What is left to do before a product can be submitted and sold, as the store tells it.
struct ProductStatus: Sendable {
    private static let names = [
        "missing", "hasPaidAgreement", "obstacle", "customerPrice", "currency", "territory",
    ]

    /// The attributes that `product show` adds to the product's own.
    let attributes: [String: JSONValue]
    private let team: String

    /// - Parameter resource: of the type `productStatuses`.
    init(_ resource: JSONValue) {
        let all = resource["attributes"]?.members ?? [:]
        attributes = all.filter { Self.names.contains($0.key) }
        team = resource.attribute("team")
    }

    static func load(_ number: String, _ api: ConnectAPI) async throws -> ProductStatus {
        ProductStatus(try await api.show("/openstore/v1/productStatuses/\(number)"))
    }

    /// The product with what the store tells of its sale.
    func added(to product: JSONValue) -> JSONValue {
        var members = product.members ?? [:]
        members["attributes"] = .object(
            (members["attributes"]?.members ?? [:]).merging(attributes) { own, _ in own })
        return .object(members)
    }

    static let price = ConnectRenderer.Column("PRICE") { product in
        let price = product.attribute("customerPrice")
        guard !price.isEmpty else { return "none" }
        return "\(price) \(product.attribute("currency")) in \(product.attribute("territory"))"
    }

    /// Lines for people about what is missing, with the commands; empty where nothing is.
    ///
    /// - Parameters:
    ///   - product: as the command line named it.
    ///   - app: the value of `--app`; nil where it was not given.
    ///   - page: where the product is changed in the portal.
    func missingLines(_ product: String, app: String?, page: String) -> [String] {
        let missing = attributes["missing"]?.elements ?? []
        guard !missing.isEmpty else { return [] }
        let option = app.map { " --app \(shellWord($0))" } ?? ""
        var lines = ["", "Missing before it can be submitted:"]
        var isPortalNeeded = false
        for item in missing {
            lines.append("  \(item["message"]?.text ?? "")")
            let code = item["code"]?.text ?? ""
            if let command = Self.command(code, shellWord(product)) {
                lines.append("    openstore \(command)\(option)")
            } else {
                isPortalNeeded = true
            }
        }
        if isPortalNeeded { lines.append("Its page in the portal: \(page)") }
        return lines
    }

    private static func command(_ code: String, _ product: String) -> String? {
        switch code {
        case "texts", "description":
            "product update \(product) --locale en-US --title TEXT --description TEXT"
        case "price": "price set \(product) --tier TIER"
        case "reviewScreenshot", "screenshotUnfinished":
            "product screenshot \(product) FILE"
        case "content": "content upload FILE --product \(product)"
        default: nil
        }
    }

    /// Lines for people about what keeps anybody from buying it, whatever its own state; empty
    /// where nothing does.
    var obstacleLines: [String] {
        guard let obstacle = attributes["obstacle"]?.text else { return [] }
        return [
            obstacle, "The team's Account Holder sees what is missing with:",
            "  openstore agreement show paid --team \(shellWord(team))",
        ]
    }
}

extension ConnectContext {
    /// Tells people what keeps anybody from buying a product.
    func showObstacle(to product: String) async throws {
        guard show.isForPeople else { return }
        for line in try await ProductStatus.load(product, api).obstacleLines { output.line(line) }
    }
}
