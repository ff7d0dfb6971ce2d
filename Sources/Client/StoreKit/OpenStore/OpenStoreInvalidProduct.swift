/// An addition of OpenStoreKit: a product identifier that came back invalid, with the
/// store's reason.
public struct OpenStoreInvalidProduct: Sendable, Hashable {
    /// The identifier as the app wrote it.
    public let productIdentifier: String
    /// The stable name of the reason, for example `unknownIdentifier`.
    public let reason: String
    /// One sentence for the developer: what is wrong and what to do.
    public let message: String
}
