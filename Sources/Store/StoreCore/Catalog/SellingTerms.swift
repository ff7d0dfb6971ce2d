import Foundation
import StoreModel

/// What a verified provisioning profile says about the app that carries it.
package struct ProfileClaim: Sendable, Hashable {
    package var bundleID: BundleID
    package var applicationIdentifier: ApplicationIdentifier
    package var environment: StoreEnvironment
    package var allowsInAppPurchase: Bool
    package var generation: Int

    package init(
        bundleID: BundleID, applicationIdentifier: ApplicationIdentifier,
        environment: StoreEnvironment, allowsInAppPurchase: Bool, generation: Int
    ) {
        self.bundleID = bundleID
        self.applicationIdentifier = applicationIdentifier
        self.environment = environment
        self.allowsInAppPurchase = allowsInAppPurchase
        self.generation = generation
    }
}

/// An app's part of the catalog, as it was at one generation.
package struct AppCatalog: Sendable {
    /// Of all that devices see of this app.
    package let generation: Int64
    package let app: App
    package let team: Team
    package let products: [ProductID: Product]

    package init(generation: Int64, app: App, team: Team, products: [Product]) {
        self.generation = generation
        self.app = app
        self.team = team
        self.products = Dictionary(
            products.map { ($0.details.productID, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Decides which products an app may offer to a storefront.
package struct SellingTerms: Sendable {
    private let profile: ProfileClaim
    private let environment: StoreEnvironment
    private let catalog: AppCatalog?
    private let date: Date

    /// - Parameters:
    ///   - environment: where the request arrived.
    ///   - catalog: of the profile's app; nil where the store has no such app.
    ///   - date: whose prices count.
    package init(
        profile: ProfileClaim, environment: StoreEnvironment, catalog: AppCatalog?, at date: Date
    ) {
        self.profile = profile
        self.environment = environment
        self.catalog = catalog
        self.date = date
    }

    /// The product where it can be bought, or the reason why not.
    ///
    /// - Parameter suggests: whether to look for what a misspelled identifier may have
    ///   meant, which compares it with every product of the app.
    package func product(
        _ identifier: String, storefront: Storefront, suggests: Bool = true
    ) -> Result<Product, InvalidProductError> {
        if let reason = appReason { return .failure(InvalidProductError(reason)) }
        guard let catalog, let id = ProductID(identifier), let product = catalog.products[id],
            !product.isDeleted
        else {
            return .failure(
                InvalidProductError(
                    .unknownIdentifier(similar: suggests ? similar(identifier) : nil)))
        }
        if let reason = Self.reason(
            against: product, in: environment, storefront: storefront, at: date)
        {
            return .failure(InvalidProductError(reason))
        }
        return .success(product)
    }

    /// What is wrong with the app as a whole, whichever product it asks for.
    private var appReason: InvalidReason? {
        if profile.applicationIdentifier.isWildcard {
            return .wildcardApplicationIdentifier(profile.applicationIdentifier)
        }
        guard profile.applicationIdentifier.covers(profile.bundleID) else {
            return .profileWrong(
                "it is made for \(profile.applicationIdentifier), the app is \(profile.bundleID)")
        }
        guard profile.environment == environment else {
            return .profileWrong(
                "it is made for \(profile.environment.nameInSentence), the request came to "
                    + environment.nameInSentence)
        }
        guard let catalog else {
            return .profileWrong("the store has no app \(profile.bundleID)")
        }
        guard profile.allowsInAppPurchase else {
            return .profileWrong("it lacks the in-app purchase entitlement")
        }
        guard profile.generation >= catalog.app.generation else { return .profileOutOfDate }
        return Self.reason(against: catalog.app, of: catalog.team)
    }

    /// The reason for which an app can sell no product at all. Nil if it can sell.
    static func reason(against app: App, of team: Team) -> InvalidReason? {
        guard team.hasPaidAgreement else { return .noPaidAgreement(team: team.name) }
        guard !app.binaryState.isRejected else { return .binaryRejected(app.binaryState) }
        return nil
    }

    /// What keeps a product from being sold in a storefront, whichever app asks; nil for nothing.
    static func reason(
        against product: Product, in environment: StoreEnvironment, storefront: Storefront,
        at date: Date
    ) -> InvalidReason? {
        let details = product.details
        if details.state.isRemovedFromSale { return .removedFromSale }
        switch environment {
        case .production:
            guard details.state == .approved else { return .notApproved(details.state) }
        case .sandbox:
            switch details.state {
            case .waitingForUpload: return .waitingForContent
            // A newer version is processed while testers go on with what they have.
            case .processingContent where product.currentRelease(in: environment) == nil:
                return .waitingForContent
            default: break
            }
        }
        if product.hostsContent, product.currentRelease(in: environment) == nil {
            return .waitingForContent
        }
        guard !details.prices.isEmpty, !details.texts.isEmpty else { return .missingMetadata }
        guard product.price(in: storefront, at: date) != nil else {
            return .notInStorefront(storefront.code)
        }
        return nil
    }

    /// The product whose identifier differs from the wanted one by the least typing, if
    /// that is little.
    private func similar(_ identifier: String) -> ProductID? {
        guard let catalog, identifier.utf8.count <= 255, catalog.products.count <= 1000 else {
            return nil
        }
        let wanted = Array(identifier.lowercased().utf8)
        let best = catalog.products.values.lazy.filter { !$0.isDeleted }
            .compactMap { product -> (id: ProductID, distance: Int)? in
                let id = product.details.productID
                // Most differ by their length: nothing is made of those.
                guard abs(id.text.utf8.count - wanted.count) <= 2,
                    let distance = EditDistance.between(
                        wanted, Array(id.text.lowercased().utf8), limit: 2)
                else { return nil }
                return (id, distance)
            }
            .min { ($0.distance, $0.id) < ($1.distance, $1.id) }
        return best?.id
    }
}

extension UnitOfWork {
    /// The reason for which an app can't sell a product in a storefront today. Nil if it can.
    func reason(
        against product: Product, of app: App, in environment: StoreEnvironment,
        storefront: Storefront
    ) throws -> InvalidReason? {
        guard let team = try catalog.team(app.teamID) else { return .removedFromSale }
        if product.isDeleted { return .removedFromSale }
        return SellingTerms.reason(against: app, of: team)
            ?? SellingTerms.reason(
                against: product, in: environment, storefront: storefront, at: now)
    }
}

/// A reason as an error.
package struct InvalidProductError: Error, Sendable, Hashable {
    package let reason: InvalidReason

    package init(_ reason: InvalidReason) {
        self.reason = reason
    }
}
