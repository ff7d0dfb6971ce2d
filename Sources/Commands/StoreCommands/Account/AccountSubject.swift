import Foundation
import StoreCore
import StoreModel
import StoreServer

/// The options by which commands name an account, and an app's product.
enum AccountSubject {
    static let email: CommandSpec.Option = .value("email", "ADDRESS", "The account.").asRequired
    static let environment: CommandSpec.Option = .value(
        "environment", "sandbox|production", "The account's; sandbox unless given.")
    static let product: [CommandSpec.Option] = [
        .value("bundle-id", "ID", "The app.").asRequired,
        .value("product-id", "ID", "The product.").asRequired,
    ]

    static func account(_ arguments: ParsedArguments, in store: Store) async throws -> Account {
        let environment =
            try arguments.value("environment", "sandbox or production") {
                StoreEnvironment(word: $0)
            } ?? .sandbox
        return try await store.services.accounts.account(
            email: try arguments.required("email"), environment: environment)
    }

    static func product(
        _ arguments: ParsedArguments, in store: Store
    ) async throws -> (app: App, product: Product) {
        let bundleID = try arguments.required("bundle-id", "a bundle identifier") {
            BundleID($0)
        }
        let id = try arguments.required("product-id", "a product identifier") { ProductID($0) }
        guard let catalog = try await store.services.catalog.catalog(of: bundleID) else {
            throw CommandFailure(
                description: "the store has no app \(bundleID)", exitCode: .notFound)
        }
        guard let product = catalog.products[id] else {
            throw CommandFailure(
                description: "\(bundleID) has no product \(id)", exitCode: .notFound)
        }
        return (catalog.app, product)
    }
}
