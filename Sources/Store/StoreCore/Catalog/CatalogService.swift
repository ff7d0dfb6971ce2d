import Foundation
import StoreModel

/// What apps ask of the catalog.
package struct CatalogService: Sendable {
    private let database: any ShopDatabase

    package init(database: any ShopDatabase) {
        self.database = database
    }

    /// The catalog of an app; nil where the store has no such app.
    package func catalog(of bundleID: BundleID) async throws -> AppCatalog? {
        try await database.read { repositories in
            try Self.load(bundleID, from: repositories)
        }
    }

    /// Grows with each change to what devices see of an app.
    package func generation(of app: AppID) async throws -> Int64 {
        try await database.read { try $0.catalog.generation(of: app) }
    }

    /// Reads an app's catalog inside a transaction.
    static func load(
        _ bundleID: BundleID, from repositories: StoreRepositories
    ) throws -> AppCatalog? {
        try load(bundleID, from: repositories) { try $0.products(of: $1) }
    }

    /// Reads what of an app's catalog concerns one product: the app may have thousands.
    static func load(
        _ bundleID: BundleID, only id: ProductID?, from repositories: StoreRepositories
    ) throws -> AppCatalog? {
        try load(bundleID, from: repositories) { catalog, app in
            try id.flatMap { try catalog.product($0, in: app, .all) }.map { [$0] } ?? []
        }
    }

    private static func load(
        _ bundleID: BundleID, from repositories: StoreRepositories,
        _ products: (CatalogRepository, AppID) throws -> [Product]
    ) throws -> AppCatalog? {
        let catalog = repositories.catalog
        guard let app = try catalog.app(bundleID), let team = try catalog.team(app.teamID) else {
            return nil
        }
        return AppCatalog(
            generation: try catalog.generation(of: app.id), app: app, team: team,
            products: try products(catalog, app.id))
    }

    /// Adds or changes a whole catalog in one transaction.
    ///
    /// A team that the import makes has its agreements in force, without anybody having
    /// accepted them: whoever imports on the machine is publisher and store at once. One that
    /// there is keeps its own. An app, and a bundle identifier without one, stays with its team.
    ///
    /// A product that is known keeps its state where the draft would only make it ready to
    /// submit: an import doesn't undo a review. A product with a version of content becomes
    /// one that hosts it, by the rules for every other one.
    ///
    /// - Parameter files: where the bytes of its content lie.
    /// - Returns: the app that it belongs to.
    /// - Throws: `CatalogRefusal`, `ContentRefusal` or `ContentFilesMissing`; `ConnectRefusal`
    ///   where reviewers have what the draft would change, or the app would have too many products.
    package func apply(
        _ draft: CatalogDraft, files: any ContentStore, at date: Date
    ) async throws -> App {
        let bytes = try await BytePresence(
            draft.releases.values.flatMap(\.digests), in: .content, of: files, database, at: date)
        return try await database.write { repositories in
            let catalog = repositories.catalog
            let team = try catalog.save(TeamDraft(name: draft.teamName, hasPaidAgreement: true))
            let known = try catalog.app(draft.bundleID)
            if let known, known.teamID != team.id {
                throw CatalogRefusal.otherTeam(
                    draft.bundleID, of: try catalog.team(known.teamID)?.name ?? "",
                    wanted: team.name)
            }
            let identifier = try repositories.bundleIdentifiers.explicit(draft.bundleID.text)
            if let identifier, identifier.team != team.id {
                throw CatalogRefusal.otherTeam(
                    draft.bundleID, of: try catalog.team(identifier.team)?.name ?? "",
                    wanted: team.name)
            }
            let app = try catalog.save(
                AppDraft(
                    teamID: team.id, bundleID: draft.bundleID,
                    name: draft.appName ?? known?.name ?? draft.bundleID.lastName,
                    binaryState: known?.binaryState ?? .prepareForSubmission,
                    generation: known?.generation ?? identifier?.generation ?? 1,
                    primaryLocale: draft.products.first
                        .flatMap { ConnectLocale(closestTo: $0.primaryLocale) }
                        ?? .americanEnglish))
            let products = try Dictionary(
                uniqueKeysWithValues: catalog.products(of: app.id).map {
                    ($0.details.productID, $0)
                })
            let work = UnitOfWork(repositories, actor: .machine, now: date)
            if let known, known.name != app.name {
                try AppListing(of: app, work).follow(
                    isSaleChanged: false, formerName: known.name)
            }
            for product in draft.products {
                var earlier = products[product.productID]
                if earlier?.isDeleted == true { throw CatalogRefusal.deleted(product.productID) }
                if let earlier, earlier.details.type != product.type {
                    throw CatalogRefusal.typeChanged(
                        product.productID, from: earlier.details.type, to: product.type)
                }
                if product.state == .approved,
                    try work.approvePending(product.productID, of: app)
                {
                    earlier = try catalog.product(product.productID, in: app.id)
                }
                try Self.apply(
                    product, over: earlier, release: draft.releases[product.productID],
                    bytes: bytes, in: app, work)
            }
            try work.approveAtOnce(
                draft.products.filter { $0.state == .approved }.map(\.productID), of: app)
            return app
        }
    }

    /// Whether something changes that reviewers look at: not while they have it.
    private static func isReviewed(_ draft: ProductDraft, otherThan known: ProductDraft) -> Bool {
        draft.texts != known.texts || draft.isFamilyShareable != known.isFamilyShareable
            || draft.subscription != known.subscription
    }

    /// Whether an import changes what reviewers look at; of a product that they have sent back, also its prices.
    private static func isAnswer(_ draft: ProductDraft, to earlier: ProductDraft) -> Bool {
        let isSentBack = earlier.state == .rejected || earlier.state == .developerActionNeeded
        return isReviewed(draft, otherThan: earlier) || isSentBack && draft.prices != earlier.prices
    }

    /// Moves a product on after an import that has brought what was missing, or corrected what was sent back.
    private static func settle(
        _ number: ProductNumber, before earlier: Product, _ work: UnitOfWork
    ) throws -> ProductState? {
        let isIncomplete = earlier.details.state == .missingMetadata
        // Reviewers need a picture of a product from Connect. An imported product goes without one.
        let needsPicture = try isIncomplete && work.revisions.open(of: number) != nil
        return try EditedProduct.settle(
            number, needsPicture: needsPicture, spoils: false, work)?.state
    }

    private static func apply(
        _ draft: ProductDraft, over earlier: Product?, release: ContentRelease?,
        bytes: BytePresence, in app: App, _ work: UnitOfWork
    ) throws {
        let isApproved = draft.state == .approved
        let hostsContent = release != nil || earlier?.hostsContent == true
        var draft = draft
        // Being approved is the matter of review.
        draft.state = earlier?.details.state ?? .readyToSubmit
        draft.subscription = try draft.subscription.map {
            try SubscriptionGroups(of: app, work).adopt($0)
        }
        if earlier == nil { try ProductService.checkRoom(in: app.id, work) }
        var isEdited = false
        if let earlier {
            if isAnswer(draft, to: earlier.details) {
                draft.state = try ProductRules.state(
                    of: draft.productID, after: .edit, from: earlier.details.state)
            }
            isEdited =
                draft.state != earlier.details.state || draft.texts != earlier.details.texts
            if isEdited { try TextRevisions(work).willChange(earlier, in: app.id) }
        }
        try work.catalog.save(draft, in: app.id)
        if let earlier, isEdited || draft.state == .missingMetadata,
            let number = try work.products.number(of: draft.productID, in: app.id)
        {
            draft.state = try settle(number, before: earlier, work) ?? draft.state
        }
        guard hostsContent else { return }
        var product = earlier ?? Product(details: draft, releases: [])
        product.details = draft
        var hosted = HostedProduct(product, of: app, work)
        if let release {
            try hosted.host()
            let same = product.releases.first { $0.version == release.version }
            if same?.manifestDigest != release.manifestDigest {
                try hosted.receive()
                try hosted.add(release, bytes: bytes)
            }
        }
        let isSellable = hosted.product.releases.contains {
            !$0.isRetired && $0.state != .rejected
        }
        guard !isApproved || isSellable else {
            throw ContentRefusal.contentMissing(draft.productID)
        }
    }
}

/// A catalog to be imported.
package struct CatalogDraft: Sendable {
    package var teamName: String
    package var bundleID: BundleID
    /// The app's new name. Nil: a known app keeps its name, and a new app gets the last part of its bundle
    /// identifier.
    package var appName: String?
    package var products: [ProductDraft]
    /// New versions of hosted content.
    package var releases: [ProductID: ContentRelease]

    package init(
        teamName: String, bundleID: BundleID, appName: String?, products: [ProductDraft],
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
    case otherTeam(BundleID, of: String, wanted: String)
    /// Its publisher has deleted it.
    case deleted(ProductID)

    package var description: String {
        switch self {
        case .deleted(let id):
            "\(id) was deleted, and its identifier is never given again; use another one."
        case .typeChanged(let id, let from, let to):
            "\(id) is of the type \(from.rawValue) and can't become \(to.rawValue); give the new "
                + "product an identifier of its own."
        case .otherTeam(let app, let team, let wanted):
            "\(app) belongs to the team \"\(team)\", and an import does not give it to "
                + "\"\(wanted)\"; name the team that it belongs to."
        }
    }
}
