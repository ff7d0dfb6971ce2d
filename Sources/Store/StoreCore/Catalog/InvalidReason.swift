import StoreModel

/// Why a product identifier comes back invalid.
///
/// There is no invalid identifier without a reason: the developer reads it in the log.
package enum InvalidReason: Hashable, Sendable {
    /// The app has no product with this identifier.
    case unknownIdentifier(similar: ProductID?)
    /// The product was not approved, and the profile is for production.
    case notApproved(ProductState)
    /// The publisher, or the store, has removed the product from sale.
    case removedFromSale
    /// The product has no price, or no localized title.
    case missingMetadata
    /// The product's hosted content is missing, in processing or not approved.
    case waitingForContent
    /// The product is not sold in the customer's storefront.
    case notInStorefront(String)
    /// The profile is made for a wildcard identifier.
    case wildcardApplicationIdentifier(ApplicationIdentifier)
    /// The profile is for another app or environment.
    case profileWrong(String)
    /// The profile is older than the app's newest configuration.
    case profileOutOfDate
    /// The team's Paid Apps agreement is not in force.
    case noPaidAgreement(team: String)
    /// The app's binary was rejected, in review or by its developer.
    case binaryRejected(BinaryState)

    /// The stable name for programs.
    package var code: String {
        switch self {
        case .unknownIdentifier: "unknownIdentifier"
        case .notApproved: "notApproved"
        case .removedFromSale: "removedFromSale"
        case .missingMetadata: "missingMetadata"
        case .waitingForContent: "waitingForContent"
        case .notInStorefront: "notInStorefront"
        case .wildcardApplicationIdentifier: "wildcardApplicationIdentifier"
        case .profileWrong: "profileWrong"
        case .profileOutOfDate: "profileOutOfDate"
        case .noPaidAgreement: "noPaidAgreement"
        case .binaryRejected: "binaryRejected"
        }
    }

    /// One sentence for the developer: what is wrong and what to do.
    ///
    /// - Parameter app: the app of the profile that the request came with.
    package func message(to app: BundleID) -> String {
        switch self {
        case .unknownIdentifier(let similar?):
            "The app \(app) has no product with this identifier; did you mean \(similar)?"
        case .unknownIdentifier(nil):
            "The app \(app) has no product with this identifier; check the spelling, also upper and "
                + "lower case, and that the provisioning profile is the one of this app."
        case .notApproved(let state):
            "The product is in the state \(state.rawValue); production sells approved products only. "
                + "Submit it for review, or use a development profile."
        case .removedFromSale:
            "The product was removed from sale; put it on sale again, or take it out of the app's "
                + "list."
        case .missingMetadata:
            "The product has no price or no localized title; complete it first."
        case .waitingForContent:
            "The product's hosted content is missing, still being processed or not approved; upload "
                + "it, or wait until it is ready."
        case .notInStorefront(let code):
            "The product is not sold in the storefront \(code); make it available there with a "
                + "price, or sign in with an account of another storefront."
        case .wildcardApplicationIdentifier(let identifier):
            "The provisioning profile is made for the wildcard \(identifier); in-app purchase needs "
                + "an explicit application identifier."
        case .profileWrong(let why):
            "The provisioning profile is not the right one: \(why); make one for this app and "
                + "environment."
        case .profileOutOfDate:
            "The provisioning profile is older than the app's newest configuration; make a new one "
                + "(openstore profile create)."
        case .noPaidAgreement(let team):
            "The Paid Apps agreement of the team \(team) is not in force; its Account Holder accepts it "
                + "and fills in a bank account and a tax form, and openstore agreement show paid "
                + "says what is missing."
        case .binaryRejected(.developerRejected):
            "The app's binary was rejected by its developer; submit a new one."
        case .binaryRejected:
            "The app's binary was rejected in review; submit a new one."
        }
    }
}
