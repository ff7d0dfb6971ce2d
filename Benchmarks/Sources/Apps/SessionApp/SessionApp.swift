import Foundation
import StoreKitTest

/// Tests without a test: begins sessions one after another, and says how many microseconds each took.
///
///     SessionApp products FILE COUNT    until the first product is there
///     SessionApp year FILE COUNT        a year of monthly renewals, until both APIs have heard of each
@main
struct SessionApp {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else { exit(64) }
        let file = URL(fileURLWithPath: arguments[2])
        for _ in 0..<count {
            let time =
                switch arguments[1] {
                case "products": try await products(file)
                case "year": try await year(file)
                default: exit(64)
                }
            print("microseconds", Int(time / .microseconds(1)))
        }
    }

    private static func products(_ file: URL) async throws -> Duration {
        let start = ContinuousClock.now
        let session = try SKTestSession(contentsOf: file)
        let products = try await Product.products(for: ["com.example.shop.badge"])
        let time = ContinuousClock.now - start
        guard products.count == 1 else { throw Failure("\(products.count) products came") }
        withExtendedLifetime(session) {}
        return time
    }

    private static func year(_ file: URL) async throws -> Duration {
        let monthly = "com.example.shop.monthly"
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        let queue = Heard()
        SKPaymentQueue.default().add(queue)
        defer { SKPaymentQueue.default().remove(queue) }
        var updates = Transaction.updates.makeAsyncIterator()
        try await session.buyProduct(identifier: monthly)
        _ = try await queue.next(1)
        try await finish(1, of: &updates)

        let start = ContinuousClock.now
        try await session.openStoreAdvance(by: 364 * 86_400)
        let heard = try await queue.next(11)
        try await finish(11, of: &updates)
        let time = ContinuousClock.now - start
        guard Set(heard).count == 11, session.allTransactions().count == 12 else {
            throw Failure("\(heard.count) renewals were heard")
        }
        return time
    }

    private static func finish(
        _ count: Int, of updates: inout Transaction.Transactions.AsyncIterator
    ) async throws {
        for _ in 0..<count {
            guard let result = await updates.next() else { throw Failure("the updates have ended") }
            await (try result.payloadValue).finish()
        }
    }
}

/// What the original API tells of.
private final class Heard: NSObject, SKPaymentTransactionObserver, Sendable {
    private let (purchased, sink) = AsyncStream<String>.makeStream()

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .purchased {
            sink.yield(transaction.transactionIdentifier ?? "")
            queue.finishTransaction(transaction)
        }
    }

    /// Identifiers of the next ones.
    func next(_ count: Int) async throws -> [String] {
        var identifiers: [String] = []
        for await identifier in purchased {
            identifiers.append(identifier)
            if identifiers.count == count { return identifiers }
        }
        throw Failure("the queue has ended")
    }
}

private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
