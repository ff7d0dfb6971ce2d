import Foundation
import FoundationNetworking
@testable import StoreKit
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

struct Restoring {
    /// A multiple of the batch; `TEST_TRANSACTIONS=10000` restores as many.
    private static let count: Int =
        ProcessInfo.processInfo.environment["TEST_TRANSACTIONS"].flatMap { Int($0) } ?? 2_000

    @Test func `thousands of transactions come in batches, and nothing is downloaded`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        try await store.own(Self.count)
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder)
        let batches = BatchRecorder()
        device.queue.add(device.recorder)
        device.queue.add(batches)
        device.queue.restoreCompletedTransactions()
        _ = try await device.recorder.next { $0.isRestoreEnd }
        // Whoever hears of the end has heard of everything before.
        let sizes = batches.sizes.withLock { $0 }
        #expect(sizes.count == Self.count / PurchaseService.pageSize)
        #expect(sizes.reduce(0, +) == Self.count)
        #expect(sizes.allSatisfy { $0 <= PurchaseService.pageSize })
        let restored = device.queue.transactions
        #expect(restored.count == Self.count)
        #expect(Set(restored.compactMap { $0.original?.transactionIdentifier }).count == Self.count)
        #expect(!FileManager.default.fileExists(atPath: device.device.folders.cache.path))
        // What is known survives, apart from what is downloaded.
        for transaction in restored.prefix(100) { device.queue.finishTransaction(transaction) }
        for _ in 0..<100 { _ = try await device.recorder.next { $0.isRemoval } }
        await device.engine.close()
        let relaunched = try await TestDevice(store, folder: folder)
        relaunched.queue.add(relaunched.recorder)
        _ = try await relaunched.recorder.transaction { _ in true }
        #expect(relaunched.queue.transactions.count == Self.count - 100)
    }

    @Test func `what was finished is restored again, and what waits in the queue comes once`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        try await store.own(2)
        let device = try await TestDevice(store)
        device.queue.add(device.recorder)
        func restore() async throws -> [String?] {
            device.queue.restoreCompletedTransactions()
            _ = try await device.recorder.next { $0.isRestoreEnd }
            return device.queue.transactions.map(\.transactionIdentifier)
        }
        let first = try await restore()
        #expect(first.count == 2)
        device.queue.finishTransaction(try #require(device.queue.transactions.first))
        _ = try await device.recorder.next { $0.isRemoval }
        let second = try await restore()
        // Each stands there once, the finished one behind the other.
        #expect(second == first.reversed())
        #expect(device.queue.transactions.allSatisfy { $0.transactionState == .restored })
        for transaction in device.queue.transactions {
            device.queue.finishTransaction(transaction)
            _ = try await device.recorder.next { $0.isRemoval }
        }
        #expect(try await restore().count == 2)
        #expect(try await store.ledger().count == 4)
    }

    @Test func `a restore that breaks off has delivered what came, and says so`() async throws {
        let store = try await TestStore(hasContent: false)
        try await store.own(450)
        let pages = Counter()
        let transport = InterferingTransport(before: { request in
            if request.url?.path.hasSuffix("/restores") == true, pages.next() == 3 {
                throw URLError(.notConnectedToInternet)
            }
        })
        let device = try await TestDevice(store, transport: transport)
        device.queue.add(device.recorder)
        device.queue.restoreCompletedTransactions()
        let end = try await device.recorder.next { $0.isRestoreEnd }
        guard case .restoreFailed(let error) = end else {
            Issue.record("\(end)")
            return
        }
        #expect((error as? URLError)?.code == .notConnectedToInternet)
        #expect(device.queue.transactions.count == 400)
    }
}

extension TestStore {
    /// Lets the American tester own so many products, bought on another device.
    fileprivate func own(_ count: Int) async throws {
        let account = try await store.services.accounts.account(
            email: Self.american, environment: .sandbox)
        let date = store.clock.now()
        let app = try #require(
            try await store.database.read { try $0.catalog.app(SampleShop.bundleID) })
        try await store.database.write { repositories in
            for number in 0..<count {
                let id = ProductID("com.example.shop.many\(number)")!
                try repositories.catalog.save(
                    ProductDraft(
                        productID: id, type: .nonConsumable, referenceName: "many",
                        isFamilyShareable: false, state: .approved, primaryLocale: "en_US",
                        texts: ["en_US": ProductText(title: "Many", description: "")],
                        prices: ["USA": 990], subscription: nil), in: app.id)
                let price = Money(thousandths: 990, currency: "USD")
                _ = try repositories.ledger.insert(
                    LedgerDraft(
                        kind: .purchase, environment: .sandbox, account: account.id, app: app.id,
                        bundleID: app.bundleID, productID: id, productType: .nonConsumable,
                        key: "purchase-key-\(100_000 + number)", device: "another", quantity: 1,
                        unitPrice: price, charged: price, storefront: account.storefront,
                        original: nil, applicationUsername: nil, date: date))
            }
        }
    }
}

/// Notes how many transactions each call brings.
private final class BatchRecorder: NSObject, SKPaymentTransactionObserver, Sendable {
    let sizes = Mutex<[Int]>([])

    func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        sizes.withLock { $0.append(transactions.count) }
    }
}
