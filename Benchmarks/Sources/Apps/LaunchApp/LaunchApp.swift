import StoreKit

/// The smallest app: adds an observer, asks for twenty products, and says when they are
/// there. Nothing but public API, and nothing linked but StoreKit.
///
///     LaunchApp            ends with the product list
///     LaunchApp idle       goes on, signed in, and hears of events
///     LaunchApp warm       asks again and again, for other products each time
///     LaunchApp restore    restores what the account owns
///     LaunchApp products      asks for the twenty products through StoreKit 2, and ends
///     LaunchApp loops         goes on with three loops over StoreKit 2's updates
///     LaunchApp entitlements  reads what the account may use, says how long that took, and ends
///
/// Environment: `OPENSTORE_PROFILE`, and a home in which somebody is signed in.
@main
struct LaunchApp {
    enum Mode: String {
        case launch, idle, warm, restore, products, loops, entitlements
    }

    static let identifiers = (1...20).map { "com.example.bench.item\($0)" }

    static func main() {
        let word = CommandLine.arguments.dropFirst().first ?? "launch"
        guard let mode = Mode(rawValue: word) else { exit(64) }
        switch mode {
        case .launch, .idle, .warm, .restore: break
        case .products, .loops, .entitlements:
            Task { await StoreKit2Launch.run(mode) }
            RunLoop.main.run()
        }
        let observer = Observer()
        SKPaymentQueue.default().add(observer)
        let questioner = Questioner(mode: mode)
        if mode == .restore {
            SKPaymentQueue.default().restoreCompletedTransactions()
        } else {
            questioner.ask(for: identifiers)
        }
        withExtendedLifetime((observer, questioner)) { RunLoop.main.run() }
    }
}

/// One line for who measures.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Asks for products, the next time when the answer is there.
final class Questioner: NSObject, SKProductsRequestDelegate {
    private let mode: LaunchApp.Mode
    private var request: SKProductsRequest?
    private var start = ContinuousClock.now
    private var durations: [Duration] = []
    /// Each pair of products left out once: no question is like another, so that no answer
    /// is at hand.
    private var pairs: [(Int, Int)] = (0..<20).flatMap { first in
        (first + 1..<20).map { (first, $0) }
    }

    init(mode: LaunchApp.Mode) {
        self.mode = mode
    }

    func ask(for identifiers: [String]) {
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        request.delegate = self
        self.request = request
        start = .now
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        durations.append(ContinuousClock.now - start)
        if mode != .warm || durations.count == 1 { say("delivered \(response.products.count)") }
        switch mode {
        case .launch: exit(0)
        case .idle, .restore, .products, .loops, .entitlements: return
        case .warm: break
        }
        guard let (first, second) = pairs.popLast() else {
            let sorted = durations.dropFirst().sorted()
            say("microseconds \(Int(sorted[sorted.count / 2] / .microseconds(1)))")
            exit(0)
        }
        ask(
            for: LaunchApp.identifiers.enumerated().filter {
                $0.offset != first && $0.offset != second
            }
            .map(\.element))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        say("failed \(error)")
        exit(1)
    }
}

/// Counts what is restored.
final class Observer: NSObject, SKPaymentTransactionObserver {
    private let start = ContinuousClock.now
    private var count = 0

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        count += transactions.count
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        say("delivered \(count)")
        say("milliseconds \(Int((ContinuousClock.now - start) / .milliseconds(1)))")
        exit(0)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        say("failed \(error)")
        exit(1)
    }
}
