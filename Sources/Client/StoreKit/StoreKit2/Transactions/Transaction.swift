import StoreModel
import StoreWire

/// A purchase, or a period of a subscription, as the store signed it.
///
/// What a statement lacks that each should have is empty, 0 or `Date.distantPast`,
/// and the ``VerificationResult`` around the value is not verified.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
public struct Transaction: Identifiable, Sendable, SignedValue {
    let backing: JSONBacking
    /// The engine's `turn` that has verified it; 0 where none has.
    var turn = 0

    /// The number of the transaction; 0 is a valid one.
    public let id: UInt64
    /// The number of the first transaction of the same subscription or restored purchase.
    public let originalID: UInt64
    /// The identifier of the product.
    public let productID: String
    /// What kind of product it is.
    public let productType: Product.ProductType
    /// The group of a subscription; `nil` for other products.
    public let subscriptionGroupID: String?
    /// When it was bought, or the period began.
    public let purchaseDate: Date
    /// When the original transaction was made.
    public let originalPurchaseDate: Date
    /// When the period of a subscription ends; `nil` for other products.
    public let expirationDate: Date?
    /// When the store took it back; `nil` if it did not.
    public let revocationDate: Date?
    /// Whether the customer went on to a better product before the period's end.
    public let isUpgraded: Bool
    /// When the store signed this statement of it.
    public let signedDate: Date

    init(_ backing: JSONBacking) throws {
        self.backing = backing
        id = try backing.requiredIdentifier("transactionId")
        originalID = try backing.requiredIdentifier("originalTransactionId")
        productID = try backing.requiredText("productId")
        productType = Product.ProductType(rawValue: backing.text("type") ?? "")
        subscriptionGroupID = backing.text("subscriptionGroupIdentifier")
        purchaseDate = try backing.requiredDate("purchaseDate")
        originalPurchaseDate = backing.date("originalPurchaseDate") ?? .distantPast
        expirationDate = backing.date("expiresDate")
        revocationDate = backing.date("revocationDate")
        isUpgraded = backing.flag("isUpgraded") ?? false
        signedDate = backing.date("signedDate") ?? .distantPast
    }

    static let guaranteedKeys = [
        "bundleId", "deviceVerification", "deviceVerificationNonce", "environment",
        "inAppOwnershipType", "originalPurchaseDate", "quantity", "signedDate", "type",
    ]
}

extension Transaction {
    /// The payload that the store signed, as JSON.
    public var jsonRepresentation: Data { backing.data }
    /// The identifier of one charge of a subscription.
    public var webOrderLineItemID: String? { backing.text("webOrderLineItemId") }
    /// The app that it was bought in.
    public var appBundleID: String { backing.text("bundleId") ?? "" }
    /// How many were bought.
    public var purchasedQuantity: Int { Int(clamping: backing.integer("quantity") ?? 0) }
    /// The token that the app named when it bought.
    public var appAccountToken: UUID? { backing.uuid("appAccountToken") }
    /// The environment that it was made in.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public var environment: AppStore.Environment { backing.environment }
    /// The storefront that it was bought in.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    public var storefront: Storefront {
        Storefront(
            countryCode: backing.text("storefront") ?? "", id: backing.text("storefrontId") ?? "",
            currency: backing.currency)
    }
    /// What was paid for the whole quantity, in ``currency``.
    public var price: Decimal? { backing.thousandths("price") }
    /// The currency of ``price``.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public var currency: Locale.Currency? { backing.currency }
    /// The account's app transaction; empty if the statement names none.
    public var appTransactionID: String { backing.text("appTransactionId") ?? "" }
    /// The SHA-384 of ``deviceVerificationNonce`` and ``AppStore/deviceVerificationID``, both in
    /// small letters; empty if the statement was made for no device.
    public var deviceVerification: Data { backing.deviceVerification }
    /// What was hashed for ``deviceVerification``.
    public var deviceVerificationNonce: UUID { backing.deviceVerificationNonce }
}

extension Transaction {
    /// Whether it is a consumable that was not taken back.
    var isBoughtConsumable: Bool { productType == .consumable && revocationDate == nil }
    /// The transaction of the paid period, where this order of a subscription has begun none.
    var periodTransactionID: UInt64? { backing.text("periodTransactionId").flatMap { UInt64($0) } }
    /// The purchase that it stands for, which alone is in the account's history: that of the running
    /// period, or that which was repeated without charge. `nil` for most.
    var standsFor: UInt64? {
        periodTransactionID
            ?? (productType == .nonConsumable && originalID != id ? originalID : nil)
    }
}

extension Transaction: Hashable {
    /// Equal if the JSON of both says the same.
    public static func == (one: Transaction, other: Transaction) -> Bool {
        one.backing == other.backing
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(backing) }
}

extension Transaction: CustomDebugStringConvertible {
    /// The JSON, for people.
    public var debugDescription: String { backing.prettyText }
}
