import Foundation
import StoreKitTest
import Testing

/// All suites of the module are parts of this one: sessions are one at a time, and each takes the
/// process over. So they run in a process of their own, which `Scripts/test.py` starts.
@Suite(.serialized, .enabled(if: isProcessOfSessions)) struct SessionTests {}

let isProcessOfSessions = ProcessInfo.processInfo.environment["OPENSTORE_TEST_SESSIONS"] != nil

/// Products of `Shop.storekit`.
enum Shop {
    static let badge = "com.example.shop.badge"
    static let credits = "com.example.shop.credits"
    static let monthly = "com.example.shop.monthly"
    static let weekly = "com.example.shop.weekly"

    /// A session with nothing bought yet, and nobody to ask.
    static func session() throws -> SKTestSession {
        let session = try SKTestSession(configurationFileNamed: "Shop")
        session.disableDialogs = true
        return session
    }

    /// A session with other settings in its file.
    static func session(settings: String) throws -> SKTestSession {
        try session(#"{ "_locale" : "en_US", "_storefront" : "USA" }"#, settings)
    }

    /// A session whose file has something else in place of a text.
    static func session(_ text: String, _ other: String) throws -> SKTestSession {
        let folder = try Folder()
        let file = String(decoding: try Folder.shop(), as: UTF8.self)
        try #require(file.contains(text))
        return try SKTestSession(
            contentsOf: try folder.write(
                "Set.storekit", Data(file.replacing(text, with: other).utf8)))
    }

    /// Buys as the app does, and finishes.
    @discardableResult
    static func buy(_ identifier: String) async throws -> Transaction {
        let product = try #require(try await Product.products(for: [identifier]).first)
        guard case .success(.verified(let transaction)) = try await product.purchase() else {
            throw Unexpected(what: "the purchase of \(identifier) did not succeed")
        }
        await transaction.finish()
        return transaction
    }

    static func unfinished() async -> [String] {
        var products: [String] = []
        for await result in Transaction.unfinished {
            products.append(result.unsafePayloadValue.productID)
        }
        return products.sorted()
    }

    static func entitlements() async -> [String] {
        var products: [String] = []
        for await result in Transaction.currentEntitlements {
            products.append(result.unsafePayloadValue.productID)
        }
        return products.sorted()
    }
}

struct Unexpected: Error { let what: String }

/// Hears what the queue tells, and finishes what it may.
final class Observer: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Heard: Sendable, Equatable {
        let product: String
        let state: SKPaymentTransactionState
        let identifier: String?
        let error: SKError.Code?
    }

    private let (heard, sink) = AsyncStream<Heard>.makeStream()
    private let revoked: AsyncStream<String>
    private let revocations: AsyncStream<String>.Continuation
    private let finishes: Bool

    init(finishes: Bool = true) {
        self.finishes = finishes
        (revoked, revocations) = AsyncStream<String>.makeStream()
        super.init()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            sink.yield(
                Heard(
                    product: transaction.payment.productIdentifier,
                    state: transaction.transactionState,
                    identifier: transaction.transactionIdentifier,
                    error: (transaction.error as? SKError)?.code))
            guard finishes, [.purchased, .restored, .failed].contains(transaction.transactionState)
            else {
                continue
            }
            queue.finishTransaction(transaction)
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers products: [String]
    ) {
        for product in products { revocations.yield(product) }
    }

    /// The next transaction in a state; those in others are passed over.
    func next(_ state: SKPaymentTransactionState) async throws -> Heard {
        for await heard in heard where heard.state == state { return heard }
        throw Unexpected(what: "the observer is gone")
    }

    /// The next product that was taken back.
    func nextRevoked() async throws -> String {
        for await product in revoked { return product }
        throw Unexpected(what: "the observer is gone")
    }
}

/// A loop over `Transaction.updates`, as an app has one from its launch on.
final class Updates: Sendable {
    private let stream: AsyncStream<Transaction>
    private let task: Task<Void, Never>

    init() {
        let (stream, sink) = AsyncStream<Transaction>.makeStream()
        self.stream = stream
        // The loop begins here: nothing is missed from now on.
        let iterator = Transaction.updates.makeAsyncIterator()
        task = Task {
            var iterator = iterator
            while let result = await iterator.next() {
                sink.yield(result.unsafePayloadValue)
                await result.unsafePayloadValue.finish()
            }
        }
    }

    deinit { task.cancel() }

    func next() async throws -> Transaction {
        for await transaction in stream { return transaction }
        throw Unexpected(what: "the loop is gone")
    }
}
