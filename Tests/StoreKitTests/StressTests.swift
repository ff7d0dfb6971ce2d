import Foundation
@testable import StoreKit
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// The public interface from many threads at once, in front of a real store.
///
/// `TEST_STRESS_SECONDS=600` goes on for so long, `TEST_SEED=17` repeats what each thread does.
struct ManyThreads {
    private static let threads = 8
    /// What each thread does where no time is given.
    private static let rounds = 240

    @Test func `whatever eight threads do with the queue, each payment comes to one end`()
        async throws
    {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["TEST_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)
        let seconds = environment["TEST_STRESS_SECONDS"].flatMap { Double($0) }
        print("stress: TEST_SEED=\(seed)")
        let store = try await TestStore(noiseBytes: 1000)
        let device = try await TestDevice(
            store, listens: true,
            customer: OpenStoreScriptedSheet(
                confirm: { $0.productIdentifier != SampleShop.season },
                signIn: { _ in
                    OpenStoreCredentials(email: TestStore.american, password: TestStore.password)
                }))
        try await device.device.signedIn()
        let book = PaymentBook()
        let tasks = StressedTasks()
        device.queue.add(book)
        let (ends, end) = AsyncStream<Int>.makeStream()
        for number in 0..<Self.threads {
            Thread.detachNewThread {
                let app = StressedApp(
                    device: device, book: book, tasks: tasks, seed: seed &+ UInt64(number))
                let start = ContinuousClock.now
                var round = 0
                // A machine that is slow comes to no purchase in this time.
                while seconds.map({ ContinuousClock.now - start < .seconds($0) })
                    ?? (round < Self.rounds)
                    || book.summary.purchased == 0 || tasks.purchased == 0
                {
                    app.act()
                    round += 1
                    if round.isMultiple(of: 8) { app.waitForTurn() }
                }
                app.leave()
                end.yield(round)
            }
        }
        var threads = 0
        var rounds = 0
        for await count in ends {
            rounds += count
            threads += 1
            if threads == Self.threads { break }
        }
        // What is on its way comes to its end.
        try await until { book.open == 0 && tasks.running.isEmpty }
        await device.engine.close()
        let summary = book.summary
        print("stress: \(rounds) calls, \(summary), \(tasks.purchased) by Product.purchase")
        #expect(summary.endedTwice == 0)
        #expect(summary.purchased > 0 && tasks.purchased > 0)
        let sold = try await store.ledger().count { $0.details.kind == .purchase }
        #expect(sold == summary.purchased + tasks.purchased)
    }
}

/// An app of which one thread uses everything that the framework offers.
private final class StressedApp {
    /// So many payments are under way at most.
    private static let mostOpen = 4

    private let device: TestDevice
    private let book: PaymentBook
    private let tasks: StressedTasks
    private let queue: SKPaymentQueue
    private var random: SeededRandom
    private var observers: [Observer] = []
    private var requests: [SKRequest] = []
    private let delegate = Delegate()

    init(device: TestDevice, book: PaymentBook, tasks: StressedTasks, seed: UInt64) {
        self.device = device
        self.book = book
        self.tasks = tasks
        // Fronts are made as often as apps like.
        queue = SKPaymentQueue(engine: device.engine)
        random = SeededRandom(seed: seed)
    }

    func act() {
        switch random.below(15) {
        case 0: addObserver()
        case 1: removeObserver()
        case 2, 3: pay()
        case 4: ask(SKProductsRequest(productIdentifiers: products, device: device.device))
        case 5: ask(SKReceiptRefreshRequest(receiptProperties: nil, device: device.device))
        case 6: cancelRequest()
        case 7: if random.once(in: 20) { queue.restoreCompletedTransactions() }
        case 8: download()
        case 9: finish()
        case 10: look()
        case 11, 12: tasks.begin(on: device, StressedTasks.Use.allCases[random.below(8)])
        case 13: promote()
        default: setDelegate()
        }
    }

    /// Waits until the queue has come so far: who only adds work fills the memory with it.
    func waitForTurn() {
        let turn = DispatchSemaphore(value: 0)
        device.engine.enqueue { _ in turn.signal() }
        turn.wait()
    }

    /// Takes back what would outlive it.
    func leave() {
        for observer in observers { queue.remove(observer) }
        for request in requests { request.cancel() }
        queue.delegate = nil
    }

    private var products: Set<String> {
        let all = [
            SampleShop.chapter, SampleShop.badge, SampleShop.monthly, "com.example.shop.none",
        ]
        return Set(all.prefix(1 + random.below(all.count)))
    }

    private func addObserver() {
        let observer = Observer()
        queue.add(observer)
        // Some are gone without being taken out.
        if random.chance(50) { observers.append(observer) }
    }

    private func removeObserver() {
        guard let observer = observers.popLast() else { return }
        queue.remove(observer)
    }

    private func pay() {
        guard book.begin(upTo: Self.mostOpen) else { return }
        let product = [SampleShop.credits, SampleShop.chapter, SampleShop.badge, SampleShop.season]
        let payment = SKMutablePayment()
        payment.productIdentifier = product[random.below(product.count)]
        payment.quantity = payment.productIdentifier == SampleShop.credits ? 2 : 1
        queue.add(payment)
        // The queue has a copy.
        payment.productIdentifier = "com.example.shop.none"
    }

    private func ask(_ request: SKRequest) {
        // Few at a time: a store is asked, not flooded.
        if requests.count >= 3 { cancelRequest() }
        (request as? SKProductsRequest)?.delegate = delegate
        (request as? SKReceiptRefreshRequest)?.delegate = delegate
        request.start()
        requests.append(request)
    }

    private func cancelRequest() {
        guard !requests.isEmpty else { return }
        requests.remove(at: random.below(requests.count)).cancel()
    }

    private func download() {
        let downloads = queue.transactions.flatMap(\.downloads)
        guard !downloads.isEmpty else { return }
        let download = downloads[random.below(downloads.count)]
        switch random.below(8) {
        case 0: queue.cancel([download])
        case 1, 2: queue.pause([download])
        case 3: queue.resume([download])
        default: queue.start([download])
        }
    }

    private func finish() {
        let ended: [SKPaymentTransactionState] = [.purchased, .restored, .failed]
        let over = queue.transactions.filter { ended.contains($0.transactionState) }
        guard !over.isEmpty else { return }
        queue.finishTransaction(over[random.below(over.count)])
    }

    private func look() {
        for transaction in queue.transactions {
            _ = (transaction.payment.productIdentifier, transaction.transactionIdentifier)
            _ = (transaction.transactionDate, transaction.original, transaction.error)
            for download in transaction.downloads {
                _ = (download.state, download.progress, download.timeRemaining)
                _ = (download.contentURL, download.error, download.transaction)
            }
        }
        _ = (queue.storefront?.countryCode, queue.transactionObservers.count)
        _ = SKPaymentQueue.canMakePayments()
        if random.once(in: 4) { _ = try? OpenStoreReceipt.current(on: device.device) }
        if random.once(in: 10) { queue.showPriceConsentIfNeeded() }
        if random.once(in: 10) { queue.presentCodeRedemptionSheet() }
    }

    private func promote() {
        let promotions = PromotionOverrides(device: device.device)
        try? promotions.set(random.chance(50) ? .show : .hide, of: SampleShop.badge)
        _ = try? (promotions.visibility(of: SampleShop.badge), promotions.order())
    }

    private func setDelegate() {
        queue.delegate = random.chance(70) ? delegate : nil
        _ = queue.delegate
    }
}

/// Tasks that use StoreKit 2 beside the threads.
private final class StressedTasks: Sendable {
    enum Use: CaseIterable, Sendable {
        case products, buy, all, entitlements, unfinished, updates, app, statuses
    }

    private struct State {
        var running: [Use] = []
        var purchased = 0
    }

    /// So many run at most.
    private static let most = 8

    private let state = Mutex(State())

    /// Whether a transaction was begun by `Product.purchase`: the threads buy two of it.
    static func hasBought(_ transaction: SKPaymentTransaction) -> Bool {
        let payment = transaction.payment
        return payment.productIdentifier == SampleShop.credits && payment.quantity == 1
    }

    /// What goes on.
    var running: [Use] { state.withLock { $0.running } }
    /// What `Product.purchase` has sold.
    var purchased: Int { state.withLock { $0.purchased } }

    /// Begins a task, unless too many run.
    func begin(on device: TestDevice, _ use: Use) {
        let isTurn = state.withLock { state in
            guard state.running.count < Self.most else { return false }
            state.running.append(use)
            return true
        }
        guard isTurn else { return }
        Task.detached { [self] in
            await device.use { await run(use) }
            state.withLock { state in
                state.running.firstIndex(of: use).map { _ = state.running.remove(at: $0) }
            }
        }
    }

    private func run(_ use: Use) async {
        switch use {
        case .products:
            for product in (try? await Product.products(for: [SampleShop.monthly])) ?? [] {
                _ = (product.displayPrice, await product.subscription?.isEligibleForIntroOffer)
            }
        case .buy: await buy()
        case .all: for await result in Transaction.all { _ = result.debugDescription }
        case .entitlements:
            for await result in Transaction.currentEntitlements { _ = result.debugDescription }
        case .unfinished:
            for await result in Transaction.unfinished {
                if result.unsafePayloadValue.productID == SampleShop.credits { continue }
                await result.unsafePayloadValue.finish()
            }
        case .updates:
            let loop = Task {
                for await result in Transaction.updates { _ = result.jwsRepresentation }
            }
            await Task.yield()
            loop.cancel()
            await loop.value
        case .app: _ = try? await AppTransaction.shared
        case .statuses:
            for await group in Product.SubscriptionInfo.Status.all { _ = group.statuses.count }
        }
    }

    private func buy() async {
        guard let product = try? await Product.products(for: [SampleShop.credits]).first,
            case .success(let result) = try? await product.purchase()
        else { return }
        state.withLock { $0.purchased += 1 }
        await result.unsafePayloadValue.finish()
    }
}

private final class Observer: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions { _ = transaction.downloads.map(\.state) }
    }
}

private final class Delegate: NSObject, SKPaymentQueueDelegate, SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        LyingDevice.look(at: response)
        request.delegate = nil
    }
}

/// An observer that counts how each payment has ended.
private final class PaymentBook: NSObject, SKPaymentTransactionObserver, Sendable {
    struct Summary: CustomStringConvertible {
        var purchased = 0
        var failed = 0
        var endedTwice = 0

        var description: String { "\(purchased) purchases, \(failed) failed payments" }
    }

    private struct State {
        var begun = 0
        var ended = 0
        var summary = Summary()
        /// Those that have ended, so that none takes the place of another in memory.
        var over: [ObjectIdentifier: SKPaymentTransaction] = [:]
    }

    private let state = Mutex(State())

    var summary: Summary { state.withLock { $0.summary } }
    /// The payments that have not ended.
    var open: Int { state.withLock { $0.begun - $0.ended } }

    /// Counts a payment that is about to be added, unless so many are open.
    func begin(upTo limit: Int) -> Bool {
        state.withLock { state in
            guard state.begun - state.ended < limit else { return false }
            state.begun += 1
            return true
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            let purchased = transaction.transactionState == .purchased
            guard purchased || transaction.transactionState == .failed,
                !StressedTasks.hasBought(transaction)
            else { continue }
            state.withLock { state in
                guard
                    state.over.updateValue(transaction, forKey: ObjectIdentifier(transaction))
                        == nil
                else {
                    state.summary.endedTwice += 1
                    return
                }
                state.ended += 1
                if purchased {
                    state.summary.purchased += 1
                } else {
                    state.summary.failed += 1
                }
            }
        }
    }
}
