// What newer properties replace: texts as the statement writes them.
extension Transaction {
    /// What made the customer eligible for the offer.
    @available(*, deprecated, message: "use offer.type")
    public var offerType: OfferType? { offer?.type }
    /// The identifier of the offer.
    @available(*, deprecated, message: "use offer.id")
    public var offerID: String? { backing.text("offerIdentifier") }
    /// How the reduced price is paid.
    @available(*, deprecated, message: "use offer.paymentMode")
    public var offerPaymentModeStringRepresentation: String? { backing.text("offerDiscountType") }
    /// How long one period of the offer is, as ISO 8601 writes it.
    @available(*, deprecated, message: "use offer.period")
    public var offerPeriodStringRepresentation: String? { backing.text("offerPeriod") }
    /// What the store took back.
    @available(*, deprecated, renamed: "revocationType")
    public var revocationTypeStringRepresentation: String? { backing.text("revocationType") }
    /// The environment that it was made in.
    @available(*, deprecated, renamed: "environment")
    public var environmentStringRepresentation: String { environment.rawValue }
    /// Why it was made.
    @available(*, deprecated, renamed: "reason")
    public var reasonStringRepresentation: String { reason.rawValue }
    /// The country of the storefront that it was bought in.
    @available(*, deprecated, message: "use storefront.countryCode")
    public var storefrontCountryCode: String { storefront.countryCode }
    /// The currency that it was paid in.
    @available(*, deprecated, renamed: "currency")
    public var currencyCode: String? { currency?.identifier }
}
