import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

struct Purchases {
    @Test func `purchasing comes first, then purchased, on the same object`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let bought = try await device.buy(SampleShop.credits, quantity: 3)
        #expect(bought.transactionState == .purchased)
        #expect(bought.payment.quantity == 3)
        let states = device.recorder.history.compactMap { event in
            if case .updated(let transaction, let state) = event, transaction === bought {
                state
            } else {
                nil
            }
        }
        #expect(states == [.purchasing, .purchased])
        let entry = try #require(try await store.ledger().first)
        #expect(bought.transactionIdentifier == entry.id.description)
        #expect(entry.details.charged == Money(thousandths: 2970, currency: "USD"))
        #expect(bought.openStoreSignature?.chargedThousandths == 2970)
        #expect(bought.openStoreSignature?.rootFingerprint == (try store.store.rootFingerprint()))
        #expect(device.queue.transactions == [bought])
    }

    @Test func `the same payment added twice is bought twice`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        device.queue.add(device.recorder)
        let payment = TestDevice.payment(SampleShop.credits)
        device.queue.add(payment)
        payment.quantity = 7
        device.queue.add(payment)
        let isPurchased = { (transaction: SKPaymentTransaction) in
            transaction.transactionState == .purchased
        }
        let first = try await device.recorder.transaction(where: isPurchased)
        let second = try await device.recorder.transaction(where: isPurchased)
        let quantities: [Int] = [first.payment.quantity, second.payment.quantity]
        #expect(quantities == [1, 7])
        #expect(try await store.ledger().map(\.details.quantity) == [1, 7])
    }

    @Test(arguments: [0, -1, 11])
    func `a quantity out of range is refused before anybody is asked`(
        _ quantity: Int
    ) async throws {
        let store = try await TestStore()
        let asked = Counter()
        let device = try await TestDevice(store) { _ in asked.next() > 0 }
        let failed = try await device.buy(SampleShop.credits, quantity: quantity)
        #expect(failed.transactionState == .failed)
        #expect((failed.error as? SKError)?.code == .paymentInvalid)
        #expect(failed.error?.localizedDescription.contains("\(quantity)") == true)
        #expect(failed.transactionIdentifier == nil)
        #expect(asked.value == 0)
        #expect(try await store.ledger().isEmpty)
    }

    @Test func `a payment that the store declines fails, and says why underneath`() async throws {
        let store = try await TestStore()
        try await store.change { $0.paymentFailure = .next }
        let device = try await TestDevice(store)
        let failed = try await device.buy(SampleShop.credits)
        #expect(failed.transactionState == .failed)
        let error = try #require(failed.error as? SKError)
        #expect(error.code == .paymentInvalid)
        let answer = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(answer?.userInfo["code"] as? String == "paymentDeclined")
        #expect(answer?.localizedDescription.contains("The payment was declined") == true)
        #expect(try await store.ledger().isEmpty)
        // The next one goes through.
        #expect(try await device.buy(SampleShop.credits).transactionState == .purchased)
        #expect(try await store.ledger().count == 1)
    }

    @Test func `declining cancels and charges nothing`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store) { question in
            #expect(question.isSandbox && question.text.contains("$1.99"))
            return false
        }
        let failed = try await device.buy(SampleShop.chapter)
        #expect((failed.error as? SKError)?.code == .paymentCancelled)
        #expect(try await store.ledger().isEmpty)
    }

    @Test func `a misspelled product fails with the reason`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let failed = try await device.buy("com.example.shop.bagde")
        #expect((failed.error as? SKError)?.code == .paymentInvalid)
        #expect(failed.error?.localizedDescription.contains("did you mean") == true)
        #expect(try await store.ledger().isEmpty)
    }

    @Test func `request data is refused`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let payment = TestDevice.payment(SampleShop.credits)
        payment.requestData = Data([1])
        device.queue.add(device.recorder)
        device.queue.add(payment)
        let failed = try await device.recorder.transaction { $0.transactionState == .failed }
        #expect((failed.error as? SKError)?.code == .unauthorizedRequestData)
        #expect(try await store.ledger().isEmpty)
    }

    @Test func `an answer that is lost is asked for again, and sold once`() async throws {
        let store = try await TestStore()
        let attempts = Counter()
        let transport = InterferingTransport(change: { path, answer in
            if path.hasSuffix("/purchases"), attempts.next() <= 2 {
                throw URLError(.networkConnectionLost)
            }
            return answer
        })
        let device = try await TestDevice(store, transport: transport)
        let bought = try await device.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
        #expect(attempts.value == 3)
        #expect(try await store.ledger().count == 1)
    }

    @Test func `a transaction that another store signed is not shown as bought`() async throws {
        let store = try await TestStore()
        let forger = try await TestStore(hasContent: false, hasOwnKeys: true)
        let attempts = Counter()
        let transport = InterferingTransport(change: { path, answer in
            guard path.hasSuffix("/purchases"), attempts.next() <= 4 else { return answer }
            var forged = try WireCoding.decode(TransactionAnswer.self, from: answer)
            let payload = try #require(
                forged.signedTransaction.split(separator: ".").dropFirst().first)
            forged.signedTransaction = try forger.store.services.signer.sign(
                try #require(Data(base64Encoded: String(payload).paddedBase64)))
            return try WireCoding.encode(forged)
        })
        let device = try await TestDevice(store, transport: transport)
        // The payment waits until the store itself can be heard: in its answer, or in its list
        // of what is not finished.
        let bought = try await device.buy(SampleShop.credits)
        #expect(attempts.value >= 3)
        #expect(bought.openStoreSignature?.rootFingerprint == (try store.store.rootFingerprint()))
        #expect(device.recorder.logged.contains { $0.contains("not signed by this store") })
        #expect(try await store.ledger().count == 1)
    }

    @Test func `the answer to one payment is no answer to another`() async throws {
        let store = try await TestStore()
        let attempts = Counter()
        let kept = Mutex(Data())
        let transport = InterferingTransport(change: { path, answer in
            guard path.hasSuffix("/purchases") else { return answer }
            switch attempts.next() {
            case 1: kept.withLock { $0 = answer }
            case 2, 3: return kept.withLock { $0 }
            default: break
            }
            return answer
        })
        let device = try await TestDevice(store, transport: transport)
        let first = try await device.buy(SampleShop.credits)
        let second = try await device.buy(SampleShop.credits)
        #expect(attempts.value == 4)
        #expect(first.transactionIdentifier != second.transactionIdentifier)
        #expect(try await store.ledger().count == 2)
    }

    @Test(arguments: ["<html>Sign in to the hotel's network</html>", #"{"signedTra"#, ""])
    func `an answer that is none leaves the payment undecided`(_ page: String) async throws {
        let store = try await TestStore()
        let attempts = Counter()
        let transport = InterferingTransport(change: { path, answer in
            guard path.hasSuffix("/purchases"), attempts.next() <= 2 else { return answer }
            return Data(page.utf8)
        })
        let device = try await TestDevice(store, transport: transport)
        let bought = try await device.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
        #expect(try await store.ledger().count == 1)
    }

    @Test func `a session that has ended is renewed for the same account`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let session = try await device.device.signedIn()
        try await store.store.services.accounts.signOut(token: session.token)
        let bought = try await device.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
    }

    @Test func `what is owned already is free`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let first = try await device.buy(SampleShop.badge)
        let second = try await device.buy(SampleShop.badge)
        #expect(second.transactionState == .purchased)
        #expect(second.transactionIdentifier != first.transactionIdentifier)
        // It is in the app: the store has nothing to deliver.
        #expect(first.downloads.isEmpty && second.downloads.isEmpty)
        #expect(try await store.ledger().map(\.details.charged.thousandths) == [990, 0])
    }
}

extension String {
    /// URL-safe base64 in the standard alphabet, with padding.
    fileprivate var paddedBase64: String {
        let text = replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
