import StoreKit
import Testing

// A subclass that overrides the initializers of Apple's class inherits what is built on them:
// `init(product:)`, and what the app has added itself. Each class here has a property without a
// value, so that it has to override them.
//
// Sendable: Swift has subclasses of `@unchecked Sendable` classes say it again; each of these is
// constant.

extension NSObject {
    /// What an app adds to every class that it tests with.
    fileprivate convenience init(note: String) {
        self.init()
    }
}

private class Gift: SKPayment {
    let card: String
    override init() {
        card = "none"
        super.init()
    }
}

private final class WrappedGift: Gift {
    let paper = "red"
}

private final class MutableGift: SKMutablePayment {
    let card: String
    override init() {
        card = "none"
        super.init()
    }
}

private final class LabelledPayment: SKPayment {
    let label = "label"
}

private final class Item: SKProduct, @unchecked Sendable {
    // Sendable: constant.
    private let name: String
    override init() {
        name = "item"
        super.init()
    }
    override var productIdentifier: String { name }
}

private final class Months: SKProductSubscriptionPeriod, @unchecked Sendable {
    // Sendable: constant.
    private let months: Int
    override init() {
        months = 3
        super.init()
    }
    override var numberOfUnits: Int { months }
}

private final class Trial: SKProductDiscount, @unchecked Sendable {
    // Sendable: constant.
    private let name: String
    override init() {
        name = "trial"
        super.init()
    }
    override var identifier: String? { name }
}

private final class Offer: SKPaymentDiscount, @unchecked Sendable {
    // Sendable: constant.
    private let name: String
    override init() {
        name = "offer"
        super.init()
    }
    override init(
        identifier: String, keyIdentifier: String, nonce: UUID, signature: String,
        timestamp: NSNumber
    ) {
        name = "signed"
        super.init(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce,
            signature: signature, timestamp: timestamp)
    }
    override var identifier: String { name }
}

private final class Sale: SKPaymentTransaction, @unchecked Sendable {
    // Sendable: constant.
    private let number: String
    override init() {
        number = "7"
        super.init()
    }
    override var transactionIdentifier: String? { number }
}

private final class Content: SKDownload, @unchecked Sendable {
    // Sendable: constant.
    private let version: String
    override init() {
        version = "2.0"
        super.init()
    }
    override var contentVersion: String { version }
}

private final class Country: SKStorefront, @unchecked Sendable {
    // Sendable: constant.
    private let code: String
    override init() {
        code = "JPN"
        super.init()
    }
    override var countryCode: String { code }
}

private final class Answer: SKProductsResponse, @unchecked Sendable {
    // Sendable: constant.
    private let wrong: [String]
    override init() {
        wrong = ["wrong"]
        super.init()
    }
    override var invalidProductIdentifiers: [String] { wrong }
}

private final class Question: SKProductsRequest {
    let topic: String
    override init() {
        topic = "all"
        super.init()
    }
    override init(productIdentifiers: Set<String>) {
        topic = productIdentifiers.sorted().joined()
        super.init(productIdentifiers: productIdentifiers)
    }
}

private final class Refresh: SKReceiptRefreshRequest {
    let reason: String
    override init() {
        reason = "start"
        super.init()
    }
    override init(receiptProperties properties: [String: Any]?) {
        reason = "test"
        super.init(receiptProperties: properties)
    }
}

private final class Till: SKPaymentQueue, @unchecked Sendable {
    // Sendable: constant.
    let name: String
    override init() {
        name = "till"
        super.init()
    }
}

private final class Shelf: SKProductStorePromotionController, @unchecked Sendable {
    // Sendable: constant.
    let name: String
    override init() {
        name = "shelf"
        super.init()
    }
}

@MainActor private final class Window: SKStoreProductViewController {
    nonisolated let name: String
    nonisolated override init() {
        name = "window"
        super.init()
    }
}

@Suite struct InheritedInitializers {
    @Test func `a payment of a subclass is made from a product`() {
        let gift = Gift(product: Item())
        #expect(gift.productIdentifier == "item" && gift.quantity == 1 && gift.card == "none")
        let wrapped = WrappedGift(product: Item())
        #expect(wrapped.productIdentifier == "item" && wrapped.paper == "red")
        let mutable = MutableGift(product: Item())
        mutable.quantity = 2
        #expect(mutable.productIdentifier == "item" && mutable.card == "none")
        #expect((mutable.copy() as? SKPayment)?.quantity == 2)
        let labelled = LabelledPayment(product: Item())
        #expect(labelled.productIdentifier == "item" && labelled.label == "label")
    }

    @Test func `what an app adds to the classes is inherited by its subclasses`() {
        #expect(Item(note: "").productIdentifier == "item")
        #expect(Months(note: "").numberOfUnits == 3)
        #expect(Trial(note: "").identifier == "trial")
        #expect(Offer(note: "").identifier == "offer")
        #expect(Sale(note: "").transactionIdentifier == "7")
        #expect(Content(note: "").contentVersion == "2.0")
        #expect(Country(note: "").countryCode == "JPN")
        #expect(Answer(note: "").invalidProductIdentifiers == ["wrong"])
        #expect(Gift(note: "").card == "none" && MutableGift(note: "").card == "none")
        #expect(Question(note: "").topic == "all")
        #expect(Question(productIdentifiers: ["b", "a"]).topic == "ab")
        #expect(Refresh(note: "").reason == "start")
        #expect(Refresh(receiptProperties: nil).reason == "test")
        #expect(Till(note: "").name == "till" && Shelf(note: "").name == "shelf")
    }

    @MainActor @Test func `a page of a subclass is made as the app has it`() {
        #expect(Window(note: "").name == "window")
    }
}
