import Foundation
import StoreKitTest

/// Tests without a test: begins sessions one after another, and says how many microseconds each took.
///
///     SessionApp products FILE COUNT    begins a session and loads one product, COUNT times
///     SessionApp year FILE COUNT        renews monthly for a year, COUNT times, heard by both APIs
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
        let updates = Updates()
        try await session.buyProduct(identifier: monthly)
        _ = try await queue.next(1)
        _ = try await updates.next(1)

        let start = ContinuousClock.now
        try await session.openStoreAdvance(by: 364 * 86_400)
        let (heard, looped) = (try await queue.next(11), try await updates.next(11))
        let time = ContinuousClock.now - start
        guard Set(heard).count == 11, heard == looped else {
            throw Failure("the queue told of \(heard), the loop of \(looped)")
        }
        return time
    }
}

/// Identifiers of transactions in their order.
private final class Identifiers: Sendable {
    private let (stream, sink) = AsyncStream<String>.makeStream()

    func add(_ identifier: String) { sink.yield(identifier) }

    func next(_ count: Int) async throws -> [String] {
        var identifiers: [String] = []
        for await identifier in stream {
            identifiers.append(identifier)
            if identifiers.count == count { return identifiers }
        }
        throw Failure("nothing more was heard")
    }
}

/// A loop over StoreKit 2's updates, as an app has one.
private final class Updates: Sendable {
    private let identifiers = Identifiers()
    private let task: Task<Void, Never>

    init() {
        task = Task { [identifiers] in
            for await case .verified(let transaction) in Transaction.updates {
                identifiers.add("\(transaction.id)")
                await transaction.finish()
            }
        }
    }

    deinit { task.cancel() }

    func next(_ count: Int) async throws -> [String] { try await identifiers.next(count) }
}

/// What the original API tells of.
private final class Heard: NSObject, SKPaymentTransactionObserver, Sendable {
    private let identifiers = Identifiers()

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions where transaction.transactionState == .purchased {
            identifiers.add(transaction.transactionIdentifier ?? "")
            queue.finishTransaction(transaction)
        }
    }

    func next(_ count: Int) async throws -> [String] { try await identifiers.next(count) }
}

private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
