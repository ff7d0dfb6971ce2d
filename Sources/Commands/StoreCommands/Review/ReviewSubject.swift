import Foundation
import StoreWire

/// The product or app that a command names, over the API.
enum ReviewSubject {
    static let app: CommandSpec.Option = .value(
        "app", "ID", "The app, by bundle identifier or number; the only one unless given.")
    static let product = CommandSpec.Argument(
        name: "PRODUCT", help: "The product, by identifier or number.")

    /// The number of the app of `--app`, or of the only one.
    ///
    /// - Throws: `UsageError` where it isn't said which of several, `ConnectFailure` for one that
    ///   there is not.
    static func app(_ connect: ConnectContext) async throws -> String {
        let text = connect.arguments["app"]
        if let text, Int64(text) != nil { return text }
        let found = try await connect.api.list(
            "/v1/apps", text.map { ["filter[bundleId]": $0] } ?? [:], limit: 50)
        guard found.count == 1 else {
            if let text {
                throw ConnectFailure.notFound("--app: there is no app \"\(text)\".")
            }
            throw UsageError(
                description: found.isEmpty
                    ? "there is no app"
                    : "--app is missing; there are "
                        + found.map { $0.attribute("bundleId") }.joined(separator: ", "))
        }
        return found[0].id
    }

    /// The number of a product.
    static func product(_ text: String, _ connect: ConnectContext) async throws -> String {
        if Int64(text) != nil { return text }
        let app = try await app(connect)
        let found = try await connect.api.list(
            "/v1/apps/\(app)/inAppPurchasesV2", ["filter[productId]": text], limit: 1)
        guard let product = found.first else {
            throw ConnectFailure.notFound("The app has no product \"\(text)\".")
        }
        return product.id
    }
}
