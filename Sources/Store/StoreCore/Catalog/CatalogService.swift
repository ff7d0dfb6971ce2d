import Foundation
import StoreModel

/// What apps ask of the catalog.
package struct CatalogService: Sendable {
    private let database: any StoreDatabase

    package init(database: any StoreDatabase) {
        self.database = database
    }

    /// The catalog of an app; nil where the store has no such app.
    package func catalog(of bundleID: BundleID) async throws -> AppCatalog? {
        try await database.read { repositories in
            try Self.load(bundleID, from: repositories)
        }
    }

    /// Reads an app's catalog inside a transaction.
    static func load(
        _ bundleID: BundleID, from repositories: any StoreRepositories
    ) throws -> AppCatalog? {
        let catalog = repositories.catalog
        guard let app = try catalog.app(bundleID), let team = try catalog.team(app.teamID) else {
            return nil
        }
        return AppCatalog(
            generation: try catalog.generation(), app: app, team: team,
            products: try catalog.products(of: app.id))
    }

    /// Adds or changes a whole catalog in one transaction.
    ///
    /// A product that is known keeps its state where the draft would only make it ready to
    /// submit: an import doesn't undo a review.
    ///
    /// - Returns: the app that it belongs to.
    /// - Throws: `CatalogRefusal`.
    package func apply(_ draft: CatalogDraft, at date: Date) async throws -> App {
        try await database.write { repositories in
            let catalog = repositories.catalog
            let team = try catalog.save(
                TeamDraft(name: draft.teamName, hasPaidAgreement: true))
            let known = try catalog.app(draft.bundleID)
            let app = try catalog.save(
                AppDraft(
                    teamID: team.id, bundleID: draft.bundleID, name: draft.appName,
                    binaryState: known?.binaryState ?? .prepareForSubmission,
                    generation: known?.generation ?? 1))
            let products = try Dictionary(
                uniqueKeysWithValues: catalog.products(of: app.id).map {
                    ($0.details.productID, $0)
                })
            for var product in draft.products {
                let earlier = products[product.productID]
                if let earlier {
                    guard earlier.details.type == product.type else {
                        throw CatalogRefusal.typeChanged(
                            product.productID, from: earlier.details.type, to: product.type)
                    }
                    if product.state == .readyToSubmit { product.state = earlier.details.state }
                }
                try catalog.save(product, in: app.id)
                guard let release = draft.releases[product.productID] else { continue }
                try Self.add(
                    release, to: product, earlier: earlier?.releases ?? [], in: app.id,
                    repositories.content, at: date)
            }
            return app
        }
    }

    private static func add(
        _ release: ContentRelease, to product: ProductDraft, earlier: [ContentRelease],
        in app: AppID, _ content: any ContentRepository, at date: Date
    ) throws {
        guard product.type == .nonConsumable else {
            throw CatalogRefusal.contentNotHosted(product.productID, product.type)
        }
        if let same = earlier.first(where: { $0.version == release.version }) {
            guard same.manifestDigest == release.manifestDigest else {
                throw CatalogRefusal.contentVersionTaken(product.productID, release.version)
            }
            if release.isApproved {
                try content.setState(
                    .approved, message: nil, of: same.version, of: product.productID, in: app,
                    at: date)
            }
            return
        }
        if let newest = earlier.map(\.version).max(), newest > release.version {
            throw CatalogRefusal.contentVersionOlder(
                product.productID, release.version, newest: newest)
        }
        try content.insert(release, of: product.productID, in: app, at: date)
    }
}

/// A catalog to be imported.
package struct CatalogDraft: Sendable {
    package var teamName: String
    package var bundleID: BundleID
    package var appName: String
    package var products: [ProductDraft]
    /// New versions of hosted content.
    package var releases: [ProductID: ContentRelease]

    package init(
        teamName: String, bundleID: BundleID, appName: String, products: [ProductDraft],
        releases: [ProductID: ContentRelease] = [:]
    ) {
        self.teamName = teamName
        self.bundleID = bundleID
        self.appName = appName
        self.products = products
        self.releases = releases
    }
}

/// What the store refuses about a catalog.
package enum CatalogRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case typeChanged(ProductID, from: ProductType, to: ProductType)
    case contentNotHosted(ProductID, ProductType)
    case contentVersionTaken(ProductID, ContentVersion)
    case contentVersionOlder(ProductID, ContentVersion, newest: ContentVersion)

    package var description: String {
        switch self {
        case .typeChanged(let id, let from, let to):
            "\(id) is of the type \(from.rawValue) and can't become \(to.rawValue); give the new "
                + "product an identifier of its own."
        case .contentNotHosted(let id, let type):
            "\(id) is of the type \(type.rawValue); only non-consumable products have hosted "
                + "content."
        case .contentVersionTaken(let id, let version):
            "The content of \(id) has changed, but version \(version) exists already; raise "
                + "ContentVersion in ContentInfo.plist."
        case .contentVersionOlder(let id, let version, let newest):
            "The content of \(id) has version \(version), which is older than \(newest); raise "
                + "ContentVersion in ContentInfo.plist."
        }
    }
}
