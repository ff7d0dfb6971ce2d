import Foundation
import StoreCore
import StoreModel
import StoreServer

/// The options by which commands name an account, and an app's product.
enum AccountSubject {
    static let email: CommandSpec.Option = .value("email", "ADDRESS", "The account.")
    static let environment: CommandSpec.Option = .value(
        "environment", "sandbox|production", "The account's; sandbox unless given.")
    static let product: [CommandSpec.Option] = [
        .value("bundle-id", "ID", "The app."),
        .value("product-id", "ID", "The product."),
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
        _ = try arguments.required("bundle-id")
        _ = try arguments.required("product-id")
        let bundleID = try arguments.value("bundle-id", "a bundle identifier") { BundleID($0) }!
        let id = try arguments.value("product-id", "a product identifier") { ProductID($0) }!
        guard let catalog = try await store.services.catalog.catalog(of: bundleID) else {
            throw CommandFailure(description: "the store has no app \(bundleID)")
        }
        guard let product = catalog.products[id] else {
            throw CommandFailure(description: "\(bundleID) has no product \(id)")
        }
        return (catalog.app, product)
    }
}

/// Something that can't be done, said in one sentence.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
}
