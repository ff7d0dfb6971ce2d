import StoreKit
import Testing

// Point 13: what crosses actors as it does on Apple's platforms.

private func isSendable<Value: Sendable>(_ value: Value.Type) -> Bool { true }
private func isSendable<Value>(_ value: Value.Type) -> Bool { false }

/// A shop of a Swift 6 app: an actor in front, the framework's callbacks beside it.
private actor Shelf {
    private(set) var products: [String: SKProduct] = [:]
    private(set) var bought: [SKPaymentTransaction] = []

    func take(_ response: SKProductsResponse) {
        for product in response.products { products[product.productIdentifier] = product }
    }

    func take(_ transaction: SKPaymentTransaction, on queue: SKPaymentQueue) {
        bought.append(transaction)
    }

    func price(_ identifier: String) -> (NSDecimalNumber, SKProductSubscriptionPeriod?)? {
        products[identifier].map { ($0.price, $0.subscriptionPeriod) }
    }
}

private final class Feed: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    private let shelf: Shelf
    let events: AsyncStream<SKProductsResponse>
    private let continuation: AsyncStream<SKProductsResponse>.Continuation

    init(shelf: Shelf) {
        self.shelf = shelf
        (events, continuation) = AsyncStream.makeStream()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        continuation.yield(response)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        let shelf = shelf
        Task { for transaction in transactions { await shelf.take(transaction, on: queue) } }
    }
}

@MainActor private final class ShopModel: NSObject {
    private(set) var titles: [String] = []
    func show(_ products: [SKProduct]) { titles = products.map(\.localizedTitle) }
}

@Suite struct Concurrency {
    @Test func `Apple's Sendable classes are, the others are not`() {
        #expect(isSendable(SKPaymentQueue.self) && isSendable(SKPaymentTransaction.self))
        #expect(isSendable(SKProduct.self) && isSendable(SKProductSubscriptionPeriod.self))
        #expect(isSendable(SKProductDiscount.self) && isSendable(SKPaymentDiscount.self))
        #expect(isSendable(SKProductsResponse.self) && isSendable(SKStorefront.self))
        #expect(isSendable(SKStoreReviewController.self) && isSendable(SKError.self))
        #expect(!isSendable(SKPayment.self) && !isSendable(SKMutablePayment.self))
        #expect(!isSendable(SKRequest.self) && !isSendable(SKProductsRequest.self))
    }

    @Test func `what comes back crosses actors`() async {
        let shelf = Shelf()
        let feed = Feed(shelf: shelf)
        feed.productsRequest(SKProductsRequest(), didReceive: SKProductsResponse())
        for await response in feed.events {
            await shelf.take(response)
            break
        }
        #expect(await shelf.products.isEmpty)
        await shelf.take(SKPaymentTransaction(), on: SKPaymentQueue.default())
        #expect(await shelf.bought.first?.transactionState == .purchasing)
        #expect(await shelf.price("a") == nil)
        let model = await ShopModel()
        await model.show([SKProduct()])
        #expect(await model.titles == [""])
    }
}
