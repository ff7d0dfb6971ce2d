/// The country's store that an account belongs to.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Storefront: Identifiable, Sendable {
    /// The country, ISO 3166-1 alpha-3.
    public let countryCode: String
    /// The storefront's number.
    public let id: String
    /// The currency that prices are in; `nil` if it is not known.
    public let currency: Locale.Currency?

    init(countryCode: String, id: String, currency: Locale.Currency?) {
        self.countryCode = countryCode
        self.id = id
        self.currency = currency
    }
}
