import Foundation
@testable import StoreCore
import StoreModel
import Testing

/// One request for one product, with everything right; tests make one thing wrong.
struct Situation: Sendable {
    static let bundleID = BundleID("com.example.shop")!
    static let badge = ProductID("com.example.shop.badge")!

    var wanted = badge.text
    var date = Date(timeIntervalSince1970: 1_800_000_000)
    var environment = StoreEnvironment.production
    var storefront = Storefront.unitedStates
    var profile = ProfileClaim(
        bundleID: bundleID, applicationIdentifier: ApplicationIdentifier("com.example.shop")!,
        environment: .production, allowsInAppPurchase: true, generation: 3)
    var team = Team(id: 1, name: "Example", hasPaidAgreement: true)
    var app = App(
        id: AppID(number: 7), teamID: 1, bundleID: bundleID, name: "Shop",
        binaryState: .readyForSale, generation: 3)
    var hasApp = true
    var product = Product(
        details: ProductDraft(
            productID: badge, type: .nonConsumable, referenceName: "badge",
            isFamilyShareable: false, state: .approved, primaryLocale: "en_US",
            texts: ["en_US": ProductText(title: "A badge", description: "It shines.")],
            prices: ["USA": 990, "JPN": 120_000], subscription: nil), releases: [])

    /// In the sandbox, with a profile for it.
    static var sandbox: Situation {
        var situation = Situation()
        situation.enter(.sandbox)
        return situation
    }

    /// Moves request and profile to an environment.
    mutating func enter(_ environment: StoreEnvironment) {
        self.environment = environment
        profile.environment = environment
    }

    var terms: SellingTerms {
        let catalog = AppCatalog(
            generation: 1, app: app, team: team, products: [product])
        return SellingTerms(
            profile: profile, environment: environment, catalog: hasApp ? catalog : nil,
            at: date)
    }

    /// Nil where the product is sold.
    var reason: InvalidReason? {
        switch terms.product(wanted, storefront: storefront) {
        case .success: nil
        case .failure(let error): error.reason
        }
    }
}

extension ContentRelease {
    /// A version of content whose bytes nobody will read.
    static func made(_ version: String, isApproved: Bool) -> ContentRelease {
        ContentRelease(
            version: ContentVersion(version)!,
            manifestDigest: ContentDigest(String(repeating: "a", count: 64))!, manifestLength: 10,
            blobs: [
                ContentBlob(
                    digest: ContentDigest(String(repeating: "b", count: 64))!, length: 90)
            ], downloadLength: 100, unpackedLength: 200,
            state: isApproved ? .approved : .readyToSubmit)
    }
}
