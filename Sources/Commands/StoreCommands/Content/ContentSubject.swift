import StoreCore
import StoreModel
import StoreServer

/// The product that a command about hosted content works on.
struct ContentSubject: Sendable {
    static let argument = CommandSpec.Argument(name: "PRODUCT", help: "The product's identifier.")
    static let app: CommandSpec.Option = .value(
        "app", "ID", "The bundle identifier of the app; the store's only app unless given.")

    let app: BundleID
    let product: ProductID

    /// - Throws: `UsageError` where the app is not named and the store has not just one.
    init(_ arguments: ParsedArguments, in store: Store) async throws {
        guard let product = ProductID(arguments.argument(0)) else {
            throw UsageError(
                description: "\"\(arguments.argument(0))\" is not a product identifier")
        }
        self.product = product
        app = try await Self.app(arguments, in: store)
    }

    /// The app of `--app`, or the only one.
    static func app(_ arguments: ParsedArguments, in store: Store) async throws -> BundleID {
        if let app = try arguments.value("app", "a bundle identifier", { BundleID($0) }) {
            return app
        }
        let apps = try await store.database.read { try $0.catalog.apps() }
        guard apps.count == 1 else {
            throw UsageError(
                description: apps.isEmpty
                    ? "the store has no app; import a catalog first (openstore catalog import)"
                    : "--app is missing; the store has "
                        + apps.map(\.bundleID.text).joined(separator: ", "))
        }
        return apps[0].bundleID
    }

    /// Does something to the product, and writes its state, and that of its newest content.
    static func run(
        _ arguments: ParsedArguments, output: Output,
        _ step: (ContentService, ProductID, BundleID) async throws -> Product
    ) async throws {
        let product = try await StoreOpening.with(arguments) { store in
            let subject = try await ContentSubject(arguments, in: store)
            return try await step(store.services.hosting, subject.product, subject.app)
        }
        output.line(standing(of: product))
    }

    /// How a product and its newest content stand: a newer version is reviewed while the product
    /// stays approved.
    static func standing(of product: Product) -> String {
        let state = ContentUpload.name(of: product.details.state.rawValue)
        let newest = product.releases.max { $0.version < $1.version }
        let content = newest.map { release in
            "; its content \(release.version) is \(ContentUpload.name(of: release.state.rawValue))"
        }
        return "\(product.details.productID) is \(state)\(content ?? "")."
    }
}
