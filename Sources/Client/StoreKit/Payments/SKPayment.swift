import StoreWire

/// What an app asks the customer to buy.
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    /// What a payment and a mutable payment hold.
    struct Details {
        var productIdentifier = ""
        var quantity = 1
        var requestData: Data?
        var applicationUsername: String?
        var simulatesAskToBuyInSandbox = false
        var paymentDiscount: SKPaymentDiscount?
        /// What options of `Product.purchase` say of offers.
        var offer: OfferWish?
        /// Whether `Product.purchase` has begun it: its caller gets the answer.
        var isFromProduct = false
    }

    var details = Details()

    // The initializers that apps don't see are convenience ones, in every class that apps may
    // subclass: beside a designated one that it can't override, a subclass inherits nothing.
    public override init() {}

    /// A payment for one of a product.
    public convenience init(product: SKProduct) {
        self.init()
        details.productIdentifier = product.productIdentifier
    }

    convenience init(_ details: Details) {
        self.init()
        self.details = details
    }

    /// The product to buy.
    open var productIdentifier: String { details.productIdentifier }
    /// How many of it, 1 to 10.
    open var quantity: Int { details.quantity }
    /// Reserved; a payment with a value is refused.
    open var requestData: Data? { details.requestData }
    /// The app's own name for the customer; kept by the store where it is a UUID.
    open var applicationUsername: String? { details.applicationUsername }
    /// Whether the sandbox treats it as one that a parent has to approve.
    open var simulatesAskToBuyInSandbox: Bool { details.simulatesAskToBuyInSandbox }
    /// A promotional offer, signed by the app's developer.
    open var paymentDiscount: SKPaymentDiscount? { details.paymentDiscount }

    /// The values as the getters give them, which a subclass may have overridden.
    var snapshot: Details {
        Details(
            productIdentifier: productIdentifier, quantity: quantity, requestData: requestData,
            applicationUsername: applicationUsername,
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox,
            paymentDiscount: paymentDiscount, offer: details.offer,
            isFromProduct: details.isFromProduct)
    }

    /// The offer that the payment asks for.
    var offerWish: OfferWish? { details.offer ?? paymentDiscount.map { OfferWish($0) } }

    open func copy(with zone: NSZone? = nil) -> Any { SKPayment(snapshot) }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { SKMutablePayment(snapshot) }
    open override func copy() -> Any { copy(with: nil) }
    open override func mutableCopy() -> Any { mutableCopy(with: nil) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPayment else { return false }
        return productIdentifier == other.productIdentifier && quantity == other.quantity
            && requestData == other.requestData
            && applicationUsername == other.applicationUsername
            && simulatesAskToBuyInSandbox == other.simulatesAskToBuyInSandbox
            && paymentDiscount === other.paymentDiscount
    }

    open override var hash: Int { productIdentifier.hashValue ^ quantity }
}

/// A payment that can be changed until it is added to the queue.
open class SKMutablePayment: SKPayment {
    public override init() {
        super.init()
    }

    open override var productIdentifier: String {
        get { details.productIdentifier }
        set { details.productIdentifier = newValue }
    }
    open override var quantity: Int {
        get { details.quantity }
        set { details.quantity = newValue }
    }
    open override var requestData: Data? {
        get { details.requestData }
        set { details.requestData = newValue }
    }
    open override var applicationUsername: String? {
        get { details.applicationUsername }
        set { details.applicationUsername = newValue }
    }
    open override var simulatesAskToBuyInSandbox: Bool {
        get { details.simulatesAskToBuyInSandbox }
        set { details.simulatesAskToBuyInSandbox = newValue }
    }
    open override var paymentDiscount: SKPaymentDiscount? {
        get { details.paymentDiscount }
        set { details.paymentDiscount = newValue }
    }
}

/// The developer's signature for a promotional offer.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    private let values: (String, String, UUID, String, NSNumber)?

    public override init() {
        values = nil
    }

    /// - Parameters:
    ///   - identifier: of the offer.
    ///   - keyIdentifier: of the key that signed.
    ///   - nonce: used once.
    ///   - signature: base64 of a DER-encoded ECDSA signature.
    ///   - timestamp: when it was signed, milliseconds since 1970.
    public init(
        identifier: String, keyIdentifier: String, nonce: UUID, signature: String,
        timestamp: NSNumber
    ) {
        values = (identifier, keyIdentifier, nonce, signature, timestamp)
    }

    /// The identifier of the offer.
    open var identifier: String { values?.0 ?? "" }
    /// The identifier of the key that signed.
    open var keyIdentifier: String { values?.1 ?? "" }
    /// A value that is used once.
    open var nonce: UUID {
        values?.2 ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    /// The signature, base64.
    open var signature: String { values?.3 ?? "" }
    /// When it was signed, milliseconds since 1970.
    open var timestamp: NSNumber { values?.4 ?? 0 }
}

extension OfferWish {
    /// A promotional offer, with what the developer's server has signed.
    init(_ discount: SKPaymentDiscount) {
        self.init(
            identifier: discount.identifier,
            permission: discount.signature.isEmpty
                ? nil
                : OfferPermission(
                    keyIdentifier: discount.keyIdentifier,
                    nonce: discount.nonce.uuidString.lowercased(), signature: discount.signature,
                    timestamp: discount.timestamp.int64Value))
    }
}
