import Foundation
@testable import StoreKit
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

struct Events {
    @Test func `a revoked entitlement is told once, also after a relaunch`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let bought: SKPaymentTransaction
        do {
            let device = try await TestDevice(store, folder: folder, listens: true)
            bought = try await device.buy(SampleShop.chapter)
            device.queue.finishTransaction(bought)
            _ = try await device.recorder.next { $0.isRemoval }
            let id = try #require(TransactionID(bought.transactionIdentifier ?? ""))
            try await device.untilListening()
            _ = try await store.store.services.purchases.revoke(id, reason: .other)
            let event = try await device.recorder.next { $0.isRevocation }
            guard case .revoked(let products) = event else { return }
            #expect(products == [SampleShop.chapter])
            try await device.untilHeard(try await store.store.database.lastEvent())
            await device.engine.close()
        }
        let device = try await TestDevice(store, folder: folder, listens: true)
        // What was revoked is neither restored nor owned.
        device.queue.add(device.recorder)
        device.queue.restoreCompletedTransactions()
        _ = try await device.recorder.next { $0.isRestoreEnd }
        #expect(device.queue.transactions.isEmpty)
        let again = try await device.buy(SampleShop.chapter)
        #expect(again.openStoreSignature?.chargedThousandths == 1990)
        #expect(!device.recorder.history.contains { $0.isRevocation })
        await device.engine.close()
    }

    @Test(arguments: [true, false])
    func `a payment that began in the store is offered to the app`(takesUp: Bool) async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store, listens: true)
        device.recorder.takesUp.withLock { $0 = takesUp }
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await device.untilListening()
        try await store.beginStorePayment(SampleShop.badge)
        _ = try await device.recorder.next { $0.isOffer }
        if takesUp {
            let bought = try await device.recorder.transaction {
                $0.transactionState == .purchased
            }
            #expect(bought.payment.productIdentifier == SampleShop.badge)
        } else {
            try await device.untilHeard(try await store.store.database.lastEvent())
        }
        #expect(try await store.ledger().count == (takesUp ? 1 : 0))
        await device.engine.close()
    }

    /// - Parameter isLater: whether the purchase asks the store after the listener, or before it.
    @Test(arguments: [true, false])
    func `events between a purchase's first cursor and the listener's are heard`(
        isLater: Bool
    ) async throws {
        let store = try await TestStore()
        let engine = Mutex<PaymentEngine?>(nil)
        let isBegun = Mutex(false)
        let transport = InterferingTransport(
            hold: { request in
                guard isLater, isBegun.withLock({ $0 }),
                    request.url?.query?.hasPrefix("after=") == true
                else { return }
                isBegun.withLock { $0 = false }
                // It happens before the listener asks a second time.
                try? await store.beginStorePayment(SampleShop.badge)
            },
            change: { path, answer in
                guard path.hasSuffix(DeviceRoute.events),
                    let engine = engine.withLock({ $0.take() })
                else { return answer }
                let cursor = try WireCoding.decode(EventsAnswer.self, from: answer).cursor
                isBegun.withLock { $0 = true }
                // As a purchase writes down that has its answer before the listener has.
                try engine.open().journal.begin(
                    DeviceJournal.Cursor(
                        account: TestStore.american, event: cursor + (isLater ? 1 : -1)))
                return answer
            })
        let device = try await TestDevice(store, transport: transport, listens: true)
        engine.withLock { $0 = device.engine }
        try await device.device.signedIn()
        if !isLater { try await store.beginStorePayment(SampleShop.badge) }
        device.queue.add(device.recorder)
        _ = try await device.recorder.next { $0.isOffer }
        await device.engine.close()
    }

    @Test func `a payment that was taken up is not offered again`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        do {
            let device = try await TestDevice(store, folder: folder, listens: true)
            try await device.device.signedIn()
            device.queue.add(device.recorder)
            try await device.untilListening()
            try await store.beginStorePayment(SampleShop.badge)
            let bought = try await device.recorder.transaction {
                $0.transactionState == .purchased
            }
            device.queue.finishTransaction(bought)
            _ = try await device.recorder.next { $0.isRemoval }
            await device.engine.close()
        }
        let device = try await TestDevice(store, folder: folder, listens: true)
        device.queue.add(device.recorder)
        try await device.untilListening()
        #expect(!device.recorder.history.contains { $0.isOffer })
        #expect(try await store.ledger().count == 1)
        await device.engine.close()
    }

    @Test(arguments: [true, false])
    func `a question about a price reaches the customer when the delegate allows it`(
        allows: Bool
    ) async throws {
        let store = try await TestStore()
        let questions = Mutex<[String]>([])
        let customer = OpenStoreScriptedSheet(
            confirm: { _ in true },
            signIn: { _ in
                OpenStoreCredentials(email: TestStore.american, password: TestStore.password)
            },
            consent: { question in
                questions.withLock { $0.append(question.text) }
                return true
            })
        let device = try await TestDevice(store, listens: true, customer: customer)
        let delegate = ConsentDelegate(allows: allows)
        device.queue.delegate = delegate
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await device.untilListening()
        try await store.askConsent(SampleShop.credits, newPrice: 1990)
        try await until { await delegate.wasAsked }
        if !allows {
            // Whoever was asked by mistake was asked before this purchase, which waits its turn.
            _ = try await device.buy(SampleShop.badge)
            #expect(questions.withLock { $0 }.isEmpty)
            device.queue.showPriceConsentIfNeeded()
        }
        try await until { try await store.openConsents() == 0 }
        #expect(
            questions.withLock { $0 } == [
                "The price of “Credits” rises from $0.99 to $1.99. Do you agree?"
            ])
        await device.engine.close()
    }

    @Test func `a code gives its product for nothing, once`() async throws {
        let store = try await TestStore()
        try await store.addCode("WELCOME2026", for: SampleShop.badge)
        let codes = Mutex(["WRONGCODE1", "welcome-2026"])
        let problems = Mutex<[String?]>([])
        let customer = OpenStoreScriptedSheet(
            confirm: { _ in true },
            signIn: { _ in
                OpenStoreCredentials(email: TestStore.american, password: TestStore.password)
            },
            redeem: { question in
                problems.withLock { $0.append(question.problem) }
                return codes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            })
        let device = try await TestDevice(store, customer: customer)
        device.queue.add(device.recorder)
        device.queue.presentCodeRedemptionSheet()
        let bought = try await device.recorder.transaction { $0.transactionState == .purchased }
        #expect(bought.payment.productIdentifier == SampleShop.badge)
        #expect(bought.openStoreSignature?.chargedThousandths == 0)
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }
        codes.withLock { $0 = ["WELCOME2026"] }
        device.queue.presentCodeRedemptionSheet()
        try await until { problems.withLock { $0.count } == 4 }
        #expect(
            problems.withLock { $0 } == [
                nil, "There is no such code for this app. Check the spelling.", nil,
                "This account has redeemed the code already.",
            ])
        #expect(try await store.ledger().count == 1)
    }

    @Test func `signing out elsewhere and in again as another is noticed`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let device = try await TestDevice(store, folder: folder, listens: true)
        let session = try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await device.untilListening()
        // What `openstore account` does, in another process.
        let elsewhere = try await TestDevice(store, folder: folder, email: TestStore.japanese)
        try await elsewhere.device.client.signOut(session)
        elsewhere.device.sessions.clear(session)
        try await elsewhere.device.signedIn()
        _ = try await device.recorder.next { if case .storefront = $0 { true } else { false } }
        #expect(device.queue.storefront?.countryCode == "JPN")
        await device.engine.close()
    }
}

private final class ConsentDelegate: NSObject, SKPaymentQueueDelegate, Sendable {
    let allows: Bool
    private let asked = Mutex(false)

    init(allows: Bool) {
        self.allows = allows
    }

    var wasAsked: Bool { get async { asked.withLock { $0 } } }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        asked.withLock { $0 = true }
        return allows
    }
}

extension Recorder.Event {
    fileprivate var isRevocation: Bool { if case .revoked = self { true } else { false } }
    fileprivate var isOffer: Bool { if case .offered = self { true } else { false } }
}

extension TestStore {
    func subject(_ product: String) async throws -> (AccountID, AppID, ProductID) {
        let account = try await store.services.accounts.account(
            email: Self.american, environment: .sandbox)
        let app = try #require(
            try await store.database.read { try $0.catalog.app(SampleShop.bundleID) })
        return (account.id, app.id, try #require(ProductID(product)))
    }

    func beginStorePayment(_ product: String) async throws {
        let (account, app, id) = try await subject(product)
        try await store.services.offers.beginStorePayment(of: id, by: account, in: app)
    }

    func askConsent(_ product: String, newPrice: Int64) async throws {
        let (account, app, id) = try await subject(product)
        _ = try await store.services.offers.askConsent(
            PriceConsentDraft(
                account: account, app: app, productID: id,
                currentPrice: Money(thousandths: 990, currency: "USD"), newPrice: newPrice))
    }

    func openConsents() async throws -> Int {
        let (account, app, _) = try await subject(SampleShop.badge)
        return try await store.services.offers.openConsents(of: account, in: app).count
    }

    func addCode(_ code: String, for product: String) async throws {
        let (_, app, id) = try await subject(product)
        try await store.services.offers.add([
            OfferCode(
                code: code, app: app, productID: id, uses: 1,
                end: store.clock.now().addingTimeInterval(3600))
        ])
    }
}

extension TestDevice {
    /// Ends the listener, so that only the test asks the store.
    func stopListening() async {
        let listening = engine.state.withLock { $0.listening.take() }
        listening?.cancel()
        await listening?.value
    }

    /// Until the engine's request for events waits in the store.
    func untilListening() async throws {
        try await until { store.store.services.events.waiting > 0 }
    }

    /// Until an event was acted on.
    func untilHeard(_ event: DeviceEventID) async throws {
        try await until {
            let cursor = try engine.open().journal.cursor(of: TestStore.american)
            return cursor.map { $0 >= event.number } ?? false
        }
    }
}
