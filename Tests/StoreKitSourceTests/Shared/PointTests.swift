import StoreKit
import Testing

// Small points of source compatibility that no other file of this suite covers.

@Suite struct Points {
    /// Point 3: the initializer of SKPayment is inherited.
    @Test func `a mutable payment is made from a product`() {
        let payment = SKMutablePayment(product: SKProduct())
        #expect(payment.productIdentifier == "" && payment.quantity == 1)
    }

    /// Point 6: delegates can be asked as objects.
    @Test func `delegate protocols refine NSObjectProtocol`() {
        final class Plain: NSObject, SKRequestDelegate, SKPaymentQueueDelegate {}
        let plain = Plain()
        let delegate: any SKRequestDelegate = plain
        let other: any SKPaymentQueueDelegate = plain
        #expect(delegate.isEqual(plain) && delegate.hash == other.hash)
        #expect((delegate as any NSObjectProtocol).isEqual(other))
    }

    /// Point 12.
    @Test func `a file that imports StoreKit only has Foundation`() throws {
        #expect(PriceLabel.text(SKProduct()) == "$0.00")
        let record = PriceLabel.record(SKPaymentTransaction())
        #expect(record["product"] as? String == "" && record["user"] == nil)
        #expect(record["date"] as? Date == Date(timeIntervalSince1970: 0))
    }

    /// Point 14.
    @Test func `the default queue is found by its type`() {
        func allows(_ queue: SKPaymentQueue = .default()) -> Bool {
            type(of: queue).canMakePayments()
        }
        #expect(allows() && SKPaymentQueue.default() === SKPaymentQueue.default())
    }

    /// Point 15.
    @Test func `single declarations can be imported`() {
        #expect(Scoped.cancelled == .paymentCancelled && Scoped.domain == "SKErrorDomain")
        #expect(Scoped.unknownTime == -1 && Scoped.isOver(.failed) && !Scoped.isOver(.deferred))
        final class Plain: NSObject, SKPaymentTransactionObserver {
            func paymentQueue(
                _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
            ) {}
        }
        let observer = Plain()
        SKPaymentQueue.default().add(observer)
        #expect(Scoped.observers(.default()).contains { $0 === observer })
    }

    /// Point 16: libraries that ask take the path of the newest system.
    @Test func `availability is always given`() {
        var took = ""
        if #available(iOS 14.0, macOS 11.0, *) { took = "newest" } else { took = "older" }
        #if canImport(StoreKit)
            took += " StoreKit"
        #endif
        #expect(took == "newest StoreKit")
    }

    /// Point 19. Foundation on Linux deprecates reading an array like this; code does it.
    @available(*, deprecated) @Test
    func `prices, identity and lists of identifiers work as on Apple's platforms`() throws {
        let price: NSDecimalNumber = 0.99
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "ja_JP@currency=JPY")
        #expect(formatter.string(from: 1234) == "¥1,234" && formatter.currencyCode == "JPY")
        #expect(price.multiplying(by: 100).intValue == 99)
        let product = SKProduct()
        #expect(Set([product, product, SKProduct()]).count == 2)
        #expect(product.isEqual(product) && !product.isEqual(SKProduct()))
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        try PropertyListSerialization.data(
            fromPropertyList: ["a", "b"], format: .xml, options: 0
        ).write(to: file)
        #expect(NSArray(contentsOfFile: file.path) as? [String] == ["a", "b"])
    }
}
