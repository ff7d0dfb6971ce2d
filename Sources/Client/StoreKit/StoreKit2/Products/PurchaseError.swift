import StoreModel

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// Why a purchase with wrong parameters is refused.
    public enum PurchaseError: Error, Hashable {
        /// The quantity is not allowed.
        case invalidQuantity
        /// The product is not sold in the customer's storefront, or not any more.
        case productUnavailable
        /// The customer may not pay.
        case purchaseNotAllowed
        /// The customer is not eligible for the offer.
        case ineligibleForOffer
        /// The product has no offer of this identifier.
        case invalidOfferIdentifier
        /// The price of the offer is not valid any more.
        case invalidOfferPrice
        /// The signature of the offer is wrong or too old.
        case invalidOfferSignature
        /// A parameter of the offer is empty.
        case missingOfferParameters
        /// The binding of a payment method lacks its configuration.
        @available(iOS 26.5, macOS 26.5, tvOS 26.5, watchOS 26.5, visionOS 26.5, *)
        case paymentMethodBindingConfigurationRequired
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Product.PurchaseError: LocalizedError {
    /// What happened.
    public var errorDescription: String? { "The purchase can’t be made." }

    /// Why.
    public var failureReason: String? {
        switch self {
        case .invalidQuantity: "The product can’t be bought in this quantity."
        case .productUnavailable: "The product is not available."
        case .purchaseNotAllowed: "Purchases are not allowed on this device or for this account."
        case .ineligibleForOffer: "The account is not eligible for the offer."
        case .invalidOfferIdentifier: "The product has no offer with this identifier."
        case .invalidOfferPrice: "The price of the offer is no longer valid."
        case .invalidOfferSignature: "The signature of the offer is not valid."
        case .missingOfferParameters: "The offer lacks a parameter."
        case .paymentMethodBindingConfigurationRequired:
            "The payment method has no configuration for this app."
        }
    }

    /// What helps.
    public var recoverySuggestion: String? {
        switch self {
        case .invalidQuantity:
            "Choose from 1 to \(StoreModel.ProductType.quantities.upperBound), and 1 for what is kept "
                + "or renews by itself."
        case .productUnavailable: "Load the products again."
        case .purchaseNotAllowed: "Allow purchases in the settings of the device or the account."
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice:
            "Buy without the offer, or load the products again."
        case .invalidOfferSignature, .missingOfferParameters: "Ask for the offer again."
        case .paymentMethodBindingConfigurationRequired: "Choose another payment method."
        }
    }
}
