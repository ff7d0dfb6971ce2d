// The keys of the parameters of ``SKStoreProductViewController/loadProduct(withParameters:)``.
// Their text is not public at Apple; code uses the names. A value of another type than the one
// that is named here is refused, also where it would have no effect.

/// The item's number in the store, an `NSNumber` or digits; always needed.
public let SKStoreProductParameterITunesItemIdentifier: String = "id"
/// The identifier of a product inside the app, a string. Accepted without effect.
public let SKStoreProductParameterProductIdentifier: String = "productIdentifier"
/// The identifier of a custom product page, a UUID. Accepted without effect.
public let SKStoreProductParameterCustomProductPageIdentifier: String = "ppid"
/// The token of the affiliate who is credited with what the customer buys, a string of 4 to 20
/// letters and digits. Another one is left out; the log says so.
public let SKStoreProductParameterAffiliateToken: String = "at"
/// The token of the campaign that a sale is counted for, a string of at most 40 bytes. A
/// longer one is left out; the log says so.
public let SKStoreProductParameterCampaignToken: String = "ct"
/// The token of an analytics provider that is kept with a sale, a string of at most 20 letters
/// and digits. Another one is left out; the log says so.
public let SKStoreProductParameterProviderToken: String = "pt"
/// The token of an advertising partner, a string. Accepted without effect.
public let SKStoreProductParameterAdvertisingPartnerToken: String = "advp"
/// The signature of an ad network, a string. Accepted without effect.
public let SKStoreProductParameterAdNetworkAttributionSignature: String =
    "adNetworkAttributionSignature"
/// The number of an ad campaign. Accepted without effect.
public let SKStoreProductParameterAdNetworkCampaignIdentifier: String = "adNetworkCampaignId"
/// The number of an ad's source, up to four digits. Accepted without effect.
public let SKStoreProductParameterAdNetworkSourceIdentifier: String = "adNetworkSourceIdentifier"
/// The identifier of an ad network, a string. Accepted without effect.
public let SKStoreProductParameterAdNetworkIdentifier: String = "adNetworkId"
/// A value that an ad network uses once, a UUID. Accepted without effect.
public let SKStoreProductParameterAdNetworkNonce: String = "adNetworkNonce"
/// When an ad was shown, milliseconds since 1970. Accepted without effect.
public let SKStoreProductParameterAdNetworkTimestamp: String = "adNetworkImpressionTimestamp"
/// The number of the app that shows an ad. Accepted without effect.
public let SKStoreProductParameterAdNetworkSourceAppStoreIdentifier: String =
    "adNetworkSourceAppStoreIdentifier"
/// The version of an ad network's signature, a string. Accepted without effect.
public let SKStoreProductParameterAdNetworkVersion: String = "adNetworkPayloadVersion"
