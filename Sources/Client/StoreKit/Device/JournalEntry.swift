import FoundationNetworking
import StoreModel
import StoreWire

/// What the device knows of one payment, written down before it is acted on.
struct JournalEntry: Codable, Sendable, Hashable {
    /// Where the payment stands.
    enum Stage: Codable, Sendable, Hashable {
        /// The app has added it; the customer has not been asked.
        case added
        /// The customer has said yes to this price, on this account. From here on the
        /// request may have reached the store.
        case confirmed(price: Money, account: String)
        /// Somebody else has to approve it first; the price and account are as confirmed.
        case deferred(price: Money, account: String)
        /// The store has sold it.
        case purchased(TransactionAnswer)
        /// The store has restored it.
        case restored(TransactionAnswer)
        /// It came to nothing; the app has yet to hear of it or to finish it.
        case failed(JournaledError)
        /// The app has finished it; the store has yet to hear of that.
        case finishing(TransactionID)
    }

    /// What the payment is called on this device, from its beginning to its end; its first
    /// order goes out under this key.
    var key: PurchaseKey
    var payment: JournaledPayment
    var stage: Stage
    /// How many orders of the payment the store has refused, each before the customer was
    /// asked again; nil for none, as in journals from before orders were counted.
    var refusedOrders: Int?
    /// The account that has it; nil before the customer has confirmed it.
    var account: String?
    /// Whether the customer was told that it charges nothing.
    var isFree: Bool?
    /// The offer that the customer was told of.
    var offer: SubscriptionOffer?
}

extension JournalEntry {
    /// More orders of one payment than any customer was ever asked about.
    private static let mostRefusedOrders = Int(Int32.max)

    /// - Throws: `DecodingError`, also where there is no key for the payment's next order.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        key = try container.decode(PurchaseKey.self, forKey: .key)
        payment = try container.decode(JournaledPayment.self, forKey: .payment)
        stage = try container.decode(Stage.self, forKey: .stage)
        account = try container.decodeIfPresent(String.self, forKey: .account)
        isFree = try container.decodeIfPresent(Bool.self, forKey: .isFree)
        offer = try container.decodeIfPresent(SubscriptionOffer.self, forKey: .offer)
        refusedOrders = try container.decodeIfPresent(Int.self, forKey: .refusedOrders)
        // The first order, too, may be refused: the key has room for the number of the next one.
        guard refusedOrders.map({ (1...Self.mostRefusedOrders).contains($0) }) ?? true,
            PurchaseKey("\(key.text)-\(Self.mostRefusedOrders)") != nil
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .refusedOrders, in: container,
                debugDescription: "\(key) leaves no room for the key of its next order")
        }
    }

    /// The key of the order that the store may sell. A refused order has had its answer, so
    /// that a copy of it must not buy: the next one goes out under a key of its own.
    ///
    /// It follows from the entry's key. So a payment that was begun in the store comes to the
    /// same keys after the journal was lost, and is sold once.
    var purchaseKey: PurchaseKey {
        guard let refusedOrders else { return key }
        // A key that was made here, or came from a journal, leaves room for the number.
        return PurchaseKey("\(key.text)-\(refusedOrders + 1)")!
    }

    /// The entry after a refusal that the customer is asked again about.
    var afterRefusal: JournalEntry {
        var next = self
        next.refusedOrders = (refusedOrders ?? 0) + 1
        next.stage = .added
        return next
    }

    /// The entry at another stage.
    func at(_ stage: Stage) -> JournalEntry {
        var next = self
        next.stage = stage
        switch stage {
        case .confirmed(_, let account), .deferred(_, let account): next.account = account
        case .added, .purchased, .restored, .failed, .finishing: break
        }
        return next
    }

    /// The key of a transaction that came without a payment of this device.
    static func key(restored id: TransactionID) -> PurchaseKey {
        PurchaseKey("restored-transaction-\(id)")!
    }

    /// The key of a transaction that the journal had lost.
    static func key(recovered id: TransactionID) -> PurchaseKey {
        PurchaseKey("recovered-transaction-\(id)")!
    }

    /// Whether a transaction that the store has signed is the answer to this payment, and
    /// not one that somebody kept from another.
    func isAnswered(by payload: TransactionPayload) -> Bool {
        guard payload.productId == payment.productIdentifier,
            payload.quantity == payment.quantity
        else { return false }
        return purchaseKey.text == payload.purchaseKey
            || key == Self.key(restored: payload.transactionId)
            || key == Self.key(recovered: payload.transactionId)
    }
}

/// The parts of a payment that survive a restart.
struct JournaledPayment: Codable, Sendable, Hashable {
    var productIdentifier: String
    var quantity: Int
    var applicationUsername: String?
    var simulatesAskToBuy: Bool?
    var discount: JournaledDiscount?
    /// What options of `Product.purchase` say of offers.
    var offer: OfferWish?
    /// Whether `Product.purchase` has begun it. What fails of it is its caller's answer, and is
    /// not shown again at the next launch.
    var isFromProduct: Bool?

    init(_ payment: SKPayment) {
        if payment.details.isFromProduct { isFromProduct = true }
        if payment.simulatesAskToBuyInSandbox { simulatesAskToBuy = true }
        discount = payment.paymentDiscount.map(JournaledDiscount.init)
        offer = payment.details.offer
        productIdentifier = payment.productIdentifier
        quantity = payment.quantity
        applicationUsername = payment.applicationUsername
    }

    init(_ payload: TransactionPayload) {
        productIdentifier = payload.productId
        quantity = payload.quantity
        applicationUsername = payload.appAccountToken
    }

    var payment: SKPayment {
        var details = SKPayment.Details()
        details.productIdentifier = productIdentifier
        details.quantity = quantity
        details.applicationUsername = applicationUsername
        details.simulatesAskToBuyInSandbox = simulatesAskToBuy ?? false
        details.paymentDiscount = discount?.discount
        details.offer = offer
        details.isFromProduct = isFromProduct ?? false
        return SKPayment(details)
    }
}

/// A promotional offer that survives a restart.
struct JournaledDiscount: Codable, Sendable, Hashable {
    var identifier: String
    var keyIdentifier: String
    var nonce: UUID
    var signature: String
    var timestamp: Int64

    init(_ discount: SKPaymentDiscount) {
        identifier = discount.identifier
        keyIdentifier = discount.keyIdentifier
        nonce = discount.nonce
        signature = discount.signature
        timestamp = discount.timestamp.int64Value
    }

    var discount: SKPaymentDiscount {
        SKPaymentDiscount(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce,
            signature: signature, timestamp: NSNumber(value: timestamp))
    }
}

/// An error that survives a restart.
struct JournaledError: Codable, Sendable, Hashable {
    var domain: String
    var code: Int
    var message: String

    init(_ error: any Error) {
        let error = error as NSError
        domain = error.domain
        code = error.code
        message = error.localizedDescription
    }

    var error: any Error {
        let userInfo = [NSLocalizedDescriptionKey: message]
        switch domain {
        case SKErrorDomain:
            return SKError(SKError.Code(rawValue: code)!, userInfo: userInfo)
        case NSURLErrorDomain:
            return URLError(URLError.Code(rawValue: code) ?? .unknown, userInfo: userInfo)
        default:
            return NSError(domain: domain, code: code, userInfo: userInfo)
        }
    }
}
