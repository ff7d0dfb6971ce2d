import Foundation
import StoreModel

/// A product to be made.
package struct NewProduct: Sendable, Hashable {
    package var productID: String
    package var type: ProductType
    package var referenceName: String
    package var reviewNote: String
    package var isFamilyShareable: Bool
    /// For auto-renewable subscriptions, and for them only.
    package var subscription: SubscriptionTerms?

    package init(
        productID: String, type: ProductType, referenceName: String, reviewNote: String = "",
        isFamilyShareable: Bool = false, subscription: SubscriptionTerms? = nil
    ) {
        self.productID = productID
        self.type = type
        self.referenceName = referenceName
        self.reviewNote = reviewNote
        self.isFamilyShareable = isFamilyShareable
        self.subscription = subscription
    }
}

/// What is to become of a product; what is nil stays.
package struct ProductChange: Sendable, Hashable {
    package var referenceName: String?
    package var reviewNote: String?
    package var isFamilyShareable: Bool?

    package init(
        referenceName: String? = nil, reviewNote: String? = nil, isFamilyShareable: Bool? = nil
    ) {
        self.referenceName = referenceName
        self.reviewNote = reviewNote
        self.isFamilyShareable = isFamilyShareable
    }
}

/// Makes, changes, lists and deletes products.
///
/// All errors of the rules are `ConnectRefusal`s; after one, nothing has changed.
package struct ProductService: Sendable {
    let database: any ShopDatabase
    let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    // MARK: Reading

    package func product(
        _ number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            try ProductWork(number, by: actor, repositories, at: now).record
        }
    }

    /// The product with an identifier.
    package func product(
        _ id: String, of app: AppID, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            guard let productID = ProductID(id),
                let number = try repositories.products.number(of: productID, in: app)
            else { throw ConnectRefusal.notFound("product", id) }
            return try ProductWork(number, by: actor, repositories, at: now).record
        }
    }

    /// A page of an app's products.
    package func products(
        of app: AppID, _ request: PageRequest, filter: ProductFilter = ProductFilter(),
        order: ProductOrder = ProductOrder(), by actor: ConnectActor
    ) async throws -> ProductPage {
        try actor.require(.viewApps)
        return try await database.read { repositories in
            _ = try Self.app(app, actor, repositories)
            return try repositories.products.page(of: app, filter, by: order, request)
        }
    }

    /// How many products an app has in each state.
    package func counts(
        of app: AppID, by actor: ConnectActor
    ) async throws -> [ProductState: Int] {
        try actor.require(.viewApps)
        return try await database.read { repositories in
            _ = try Self.app(app, actor, repositories)
            return try repositories.products.counts(of: app)
        }
    }

    /// The revisions of a product's texts, the newest first.
    package func revisions(
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> [ProductRevision] {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            let work = try ProductWork(number, by: actor, repositories, at: now)
            return try repositories.revisions.revisions(of: work.number)
        }
    }

    /// A revision with its product.
    package func revision(
        _ id: Int64, by actor: ConnectActor
    ) async throws -> (revision: ProductRevision, record: ProductRecord) {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            guard let revision = try repositories.revisions.revision(id),
                let work = try? ProductWork(
                    revision.product, by: actor, repositories, at: now)
            else { throw ConnectRefusal.notFound("version", String(id)) }
            return (revision, work.record)
        }
    }

    /// Begins the next revision of a product's texts, without changing any yet.
    package func beginRevision(
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRevision {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            var work = try ProductWork(number, by: actor, repositories, at: now)
            if let open = work.record.openRevision {
                throw ConnectRefusal(
                    .state, rule: "revisionOpen", field: "inAppPurchase",
                    "\(work.record.id) has version \(open.number), which is "
                        + "\(open.state.rawValue).",
                    help: "Change this one, or wait until it is approved.")
            }
            try work.beginTextEdit()
            try work.note("revision.create")
            try work.settle()
            guard let open = work.record.openRevision else {
                throw ConnectRefusal.notFound("version of", work.record.id.text)
            }
            return open
        }
    }

    /// The newest hosted content of a product: its file as it was uploaded, as far as the store
    /// remembers; nil where there is none.
    package func content(
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> (fileName: String, size: Int64, date: Date)? {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            let work = try ProductWork(number, by: actor, repositories, at: now)
            let records = try repositories.content.records(of: work.record.id, in: work.app.id)
            guard
                let newest = records.filter({ !$0.release.isRetired })
                    .max(by: { $0.release.version < $1.release.version })
            else { return nil }
            let upload = try repositories.uploads.uploads(
                of: .product(work.record.id), in: work.app.id, limit: 100
            ).first { $0.version == newest.release.version }
            return (
                upload?.fileName ?? "\(work.record.id).pkg",
                upload?.parts.size ?? newest.release.downloadLength, newest.created
            )
        }
    }

    /// What a product lacks before it can be submitted.
    package func missing(in record: ProductRecord) -> [MissingItem] {
        ProductCompleteness.missing(in: record, at: clock.now())
    }

    static func app(
        _ id: AppID, _ actor: ConnectActor, _ repositories: StoreRepositories
    ) throws -> App {
        guard let app = try repositories.catalog.app(id), actor.sees(team: app.teamID) else {
            throw ConnectRefusal.notFound("app", String(id.number))
        }
        return app
    }

    // MARK: Changing

    /// Makes a product: it is there, without texts and prices.
    package func create(
        _ new: NewProduct, in app: AppID, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            let app = try Self.app(app, actor, repositories)
            return try Self.make(new, in: app.id, by: actor, repositories, at: now)
        }
    }

    /// Makes a product inside a transaction.
    static func make(
        _ new: NewProduct, in app: AppID, by actor: ConnectActor,
        _ repositories: StoreRepositories, at now: Date
    ) throws -> ProductRecord {
        let id = try ProductDetailRules.productID(new.productID)
        let name = try ProductDetailRules.referenceName(new.referenceName)
        let note = try ProductDetailRules.reviewNote(new.reviewNote)
        try ProductDetailRules.checkFamilySharing(new.isFamilyShareable, type: new.type)
        try checkTerms(of: new)
        if let taken = try repositories.catalog.product(id, in: app) {
            throw Self.taken(id, isDeleted: taken.isDeleted)
        }
        try checkRoom(in: app, repositories)
        try repositories.catalog.save(
            ProductDraft(
                productID: id, type: new.type, referenceName: name,
                isFamilyShareable: new.isFamilyShareable, state: .missingMetadata,
                primaryLocale: try Self.primaryLocale(of: app, repositories), texts: [:],
                prices: PriceSchedule(baseTerritory: "USA", entries: []),
                subscription: new.subscription), in: app)
        guard let number = try repositories.products.number(of: id, in: app) else {
            throw ConnectRefusal.notFound("product", id.text)
        }
        try repositories.products.setDetails(
            referenceName: name, reviewNote: note, isFamilyShareable: new.isFamilyShareable,
            of: number)
        _ = try repositories.revisions.insert(
            of: number, state: .prepareForSubmission, texts: [:], at: now)
        let work = try ProductWork(number, by: actor, repositories, at: now)
        try work.note("product.create", after: "\(new.type.rawValue), \(name)")
        return work.record
    }

    /// As many products as one app may have, without deleted ones.
    package static let limit = 10_000

    /// - Parameter others: products to come that are not counted yet.
    /// - Throws: `ConnectRefusal` with the rule `tooManyProducts` where the app can have no more.
    static func checkRoom(
        in app: AppID, beside others: Int = 0, _ repositories: StoreRepositories
    ) throws {
        let known = try repositories.products.counts(of: app).values.reduce(0, +)
        guard known + others >= limit else { return }
        throw ConnectRefusal(
            .tooMany, rule: "tooManyProducts", field: "productId",
            "An app has at most \(limit) products.", help: "Delete some first.")
    }

    /// The language whose texts are read where a storefront's is missing: the app's.
    private static func primaryLocale(
        of app: AppID, _ repositories: StoreRepositories
    ) throws -> String {
        let locale = try repositories.apps.record(app)?.primaryLocale.text
        return locale.flatMap(ProductLocale.stored) ?? "en_US"
    }

    private static func checkTerms(of new: NewProduct) throws {
        guard (new.subscription != nil) != (new.type == .autoRenewableSubscription) else { return }
        throw ConnectRefusal(
            .invalid, rule: "subscriptionTerms", field: "inAppPurchaseType",
            "An auto-renewable subscription has a group and a period, and no other product has.",
            help: "Give both for a subscription, and neither for anything else.")
    }

    static func taken(_ id: ProductID, isDeleted: Bool) -> ConnectRefusal {
        ConnectRefusal(
            .taken, rule: "productIDTaken", field: "productId",
            isDeleted
                ? "\(id) was the identifier of a product that was deleted."
                : "The app has a product \(id).",
            help: "Choose another identifier: one is never given twice.")
    }

    package func update(
        _ number: ProductNumber, _ change: ProductChange, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try actor.require(.manageProducts)
        let now = clock.now()
        return try await database.write { repositories in
            var work = try ProductWork(number, by: actor, repositories, at: now)
            guard try Self.change(work, change) else { return work.record }
            try work.settle()
            return work.record
        }
    }

    /// Changes what is said of a product, inside a transaction.
    ///
    /// - Returns: false where nothing changes.
    @discardableResult
    static func change(_ work: ProductWork, _ change: ProductChange) throws -> Bool {
        let old = work.record.summary
        let name =
            try change.referenceName.map(ProductDetailRules.referenceName) ?? old.referenceName
        let note = try change.reviewNote.map(ProductDetailRules.reviewNote) ?? old.reviewNote
        let isShareable = change.isFamilyShareable ?? old.isFamilyShareable
        try ProductDetailRules.checkFamilySharing(
            isShareable, type: old.type, earlier: old.isFamilyShareable,
            wasOnSale: work.record.product.wasOnSale)
        guard
            (name, note, isShareable)
                != (old.referenceName, old.reviewNote, old.isFamilyShareable)
        else { return false }
        // Nobody but the publisher reads the reference name.
        if (note, isShareable) != (old.reviewNote, old.isFamilyShareable) { try work.beginEdit() }
        try work.repositories.products.setDetails(
            referenceName: name, reviewNote: note, isFamilyShareable: isShareable, of: work.number)
        try work.note(
            "product.update",
            before: words(old.referenceName, old.isFamilyShareable, old.reviewNote),
            after: words(name, isShareable, note))
        return true
    }

    private static func words(_ name: String, _ isShareable: Bool, _ note: String) -> String {
        [name, isShareable ? "family sharing" : nil, note.isEmpty ? nil : note]
            .compactMap { $0 }.joined(separator: "; ")
    }

    /// Deletes a product that is not on sale. Its identifier stays taken, and who owns it goes
    /// on to have it.
    package func delete(_ number: ProductNumber, by actor: ConnectActor) async throws {
        try actor.require(.manageProducts)
        let now = clock.now()
        try await database.write { repositories in
            let work = try ProductWork(number, by: actor, repositories, at: now)
            _ = try ProductRules.state(of: work.record.id, after: .delete, from: work.record.state)
            let isPending =
                try work.record.openRevision?.state.isWithReviewers == true
                || repositories.submissions.openItem(of: work.record.id, in: work.app.id) != nil
            guard !isPending else {
                throw ConnectRefusal(
                    .state, rule: "revisionState", field: "state",
                    "Something of \(work.record.id) is with the reviewers.",
                    help: "Take it back from review, or wait for their decision.")
            }
            if let promotion = try repositories.promotions.promotion(of: number) {
                try repositories.promotions.delete(promotion.id)
            }
            for asset in work.record.assets { try repositories.assets.delete(asset.id) }
            try repositories.products.delete(number, at: now)
            try work.note("product.delete", before: work.record.summary.referenceName)
        }
    }
}
