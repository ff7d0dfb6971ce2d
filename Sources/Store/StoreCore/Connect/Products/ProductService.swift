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
    let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    // MARK: Reading

    package func product(
        _ number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            try work.product(number).record
        }
    }

    /// The product with an identifier.
    package func product(
        _ id: String, of app: AppID, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            guard let productID = ProductID(id),
                let number = try work.products.number(of: productID, in: app)
            else { throw ConnectRefusal.notFound("product", id) }
            return try work.product(number).record
        }
    }

    /// A page of an app's products.
    package func products(
        of app: AppID, _ request: PageRequest, filter: ProductFilter = ProductFilter(),
        order: ProductOrder = ProductOrder(), by actor: ConnectActor
    ) async throws -> ProductPage {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            _ = try work.app(app)
            return try work.products.page(of: app, filter, by: order, request)
        }
    }

    /// How many products an app has in each state.
    package func counts(of app: AppID, by actor: ConnectActor) async throws -> [ProductState: Int] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            _ = try work.app(app)
            return try work.products.counts(of: app)
        }
    }

    /// The revisions of a product's texts, the newest first.
    package func revisions(
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> [ProductRevision] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let product = try work.product(number)
            return try work.revisions.revisions(of: product.number)
        }
    }

    /// A revision with its product.
    package func revision(
        _ id: Int64, by actor: ConnectActor
    ) async throws -> (revision: ProductRevision, record: ProductRecord) {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            guard let revision = try work.revisions.revision(id),
                let product = try work.productIfSeen(revision.product)
            else { throw ConnectRefusal.notFound("version", String(id)) }
            return (revision, product.record)
        }
    }

    /// Begins the next revision of a product's texts, without changing any yet.
    package func beginRevision(
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductRevision {
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            var product = try work.product(number)
            if let open = product.record.openRevision {
                throw ConnectRefusal(
                    .state, rule: "revisionOpen", field: "inAppPurchase",
                    "\(product.record.id) has version \(open.number), which is "
                        + "\(open.state.rawValue).",
                    help: "Change this one, or wait until it is approved.")
            }
            try product.beginTextEdit()
            try product.note("revision.create")
            try product.settle()
            guard let open = product.record.openRevision else {
                throw ConnectRefusal.notFound("version of", product.record.id.text)
            }
            return open
        }
    }

    /// The newest hosted content of a product: its file as it was uploaded, as far as the store
    /// remembers; nil where there is none.
    package func content(
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> (fileName: String, size: Int64, date: Date)? {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let product = try work.product(number)
            let records = try work.content.records(of: product.record.id, in: product.app.id)
            guard
                let newest = records.filter({ !$0.release.isRetired })
                    .max(by: { $0.release.version < $1.release.version })
            else { return nil }
            let upload = try work.uploads.uploads(
                of: .product(product.record.id), in: product.app.id, limit: 100
            ).first { $0.version == newest.release.version }
            return (
                upload?.fileName ?? "\(product.record.id).pkg",
                upload?.parts.size ?? newest.release.downloadLength, newest.created
            )
        }
    }

    /// What a product lacks before it can be submitted.
    package func missing(in record: ProductRecord) -> [MissingItem] {
        ProductCompleteness.missing(in: record, at: shop.clock.now())
    }

    // MARK: Changing

    /// Makes a product: it is there, without texts and prices.
    package func create(
        _ new: NewProduct, in app: AppID, by actor: ConnectActor
    ) async throws -> ProductRecord {
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            let app = try work.app(app)
            return try Self.make(new, in: app.id, work)
        }
    }

    /// Makes a product inside a transaction.
    static func make(_ new: NewProduct, in app: AppID, _ work: UnitOfWork) throws -> ProductRecord {
        let id = try ProductDetailRules.productID(new.productID)
        let name = try ProductDetailRules.referenceName(new.referenceName)
        let note = try ProductDetailRules.reviewNote(new.reviewNote)
        try ProductDetailRules.checkFamilySharing(new.isFamilyShareable, type: new.type)
        try checkTerms(of: new)
        if let taken = try work.catalog.product(id, in: app) {
            throw Self.taken(id, isDeleted: taken.isDeleted)
        }
        try checkRoom(in: app, work)
        try work.catalog.save(
            ProductDraft(
                productID: id, type: new.type, referenceName: name,
                isFamilyShareable: new.isFamilyShareable, state: .missingMetadata,
                primaryLocale: try Self.primaryLocale(of: app, work), texts: [:],
                prices: PriceSchedule(baseTerritory: "USA", entries: []),
                subscription: new.subscription), in: app)
        let number = try work.products.number(of: id, in: app).orNotFound("product", id.text)
        try work.products.setDetails(
            referenceName: name, reviewNote: note, isFamilyShareable: new.isFamilyShareable,
            of: number)
        _ = try work.revisions.insert(
            of: number, state: .prepareForSubmission, texts: [:], at: work.now)
        let product = try work.product(number)
        try product.note("product.create", after: "\(new.type.rawValue), \(name)")
        return product.record
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
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            var product = try work.product(number)
            guard try Self.change(product, change) else { return product.record }
            try product.settle()
            return product.record
        }
    }

    /// Changes what is said of a product, inside a transaction.
    ///
    /// - Returns: false where nothing changes.
    @discardableResult
    static func change(_ product: EditedProduct, _ change: ProductChange) throws -> Bool {
        let old = product.record.summary
        // What stays as it is may have come when other rules were in force.
        let name =
            try change.referenceName.flatMap { $0 == old.referenceName ? nil : $0 }
            .map(ProductDetailRules.referenceName) ?? old.referenceName
        let note =
            try change.reviewNote.flatMap { $0 == old.reviewNote ? nil : $0 }
            .map(ProductDetailRules.reviewNote) ?? old.reviewNote
        let isShareable = change.isFamilyShareable ?? old.isFamilyShareable
        try ProductDetailRules.checkFamilySharing(
            isShareable, type: old.type, earlier: old.isFamilyShareable,
            wasOnSale: product.record.product.wasOnSale)
        guard
            (name, note, isShareable)
                != (old.referenceName, old.reviewNote, old.isFamilyShareable)
        else { return false }
        // Nobody but the publisher reads the reference name.
        if (note, isShareable) != (old.reviewNote, old.isFamilyShareable) {
            try product.beginEdit()
        }
        try product.work.products.setDetails(
            referenceName: name, reviewNote: note, isFamilyShareable: isShareable,
            of: product.number)
        try product.note(
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
        try await shop.write(as: actor, requiring: .manageProducts) { work in
            let product = try work.product(number)
            _ = try ProductRules.state(
                of: product.record.id, after: .delete, from: product.record.state)
            let isPending =
                try product.record.openRevision?.state.isWithReviewers == true
                || work.submissions.openItem(of: product.record.id, in: product.app.id) != nil
            guard !isPending else {
                throw ConnectRefusal(
                    .state, rule: "revisionState", field: "state",
                    "Something of \(product.record.id) is with the reviewers.",
                    help: "Take it back from review, or wait for their decision.")
            }
            if let promotion = try work.promotions.promotion(of: number) {
                try work.promotions.delete(promotion.id)
            }
            for asset in product.record.assets { try work.assets.delete(asset.id) }
            try work.products.delete(number, at: work.now)
            try product.note("product.delete", before: product.record.summary.referenceName)
        }
    }
}
