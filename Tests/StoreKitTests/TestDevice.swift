import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreTestSupport

/// A device for tests: folders of its own, a real connection to a test store, a scripted
/// customer.
struct TestDevice {
    let folder: TemporaryFolder
    let store: TestStore
    let device: StoreDevice
    let engine: PaymentEngine
    let queue: SKPaymentQueue
    let recorder: Recorder

    /// - Parameters:
    ///   - folder: nil for a device that is new.
    ///   - transport: what carries the requests.
    ///   - profile: nil for the store's for this app.
    ///   - environment: beside its home.
    ///   - journal: what the journal is written to; nil for its file.
    ///   - listens: whether it hears of events in the store.
    ///   - customer: nil for a customer who signs in and answers with `confirm`.
    init(
        _ store: TestStore, folder: TemporaryFolder? = nil,
        email: String = TestStore.american, transport: (any RequestTransport)? = nil,
        profile: String? = nil, listens: Bool = false, customer: (any OpenStoreSheet)? = nil,
        restrictions: DeviceRestrictions = .system, journal: (any JournalStorage)? = nil,
        environment: [String: String] = [:],
        confirm: @escaping @Sendable (OpenStorePurchaseQuestion) async -> Bool = { _ in true }
    ) async throws {
        self.store = store
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        let recorder = Recorder()
        self.recorder = recorder
        let text: String
        if let profile { text = profile } else { text = try await store.profile() }
        let device = try StoreDevice(
            profile: try DeviceProfile(text: text, source: "test"),
            environment: environment.merging(["HOME": folder.url.path]) { $1 },
            transport: transport ?? HTTPTransport(),
            sheet: customer ?? ScriptedCustomer(email: email, decide: confirm),
            restrictions: restrictions,
            journal: journal.map { journal in { @Sendable in journal } },
            log: { [weak recorder] in recorder?.log($0) })
        self.device = device
        let policy = RetryPolicy(
            attempts: 3, longDelay: .milliseconds(1),
            sleep: { duration in
                // What the queue waits two seconds for, it gets here, however slow the machine is.
                guard duration < .seconds(1) else {
                    return try await Task.sleep(for: .seconds(3600))
                }
                await Task.yield()
            },
            idle: { [weak recorder] in
                // Behind its test a device does not go on to look for a store that is gone.
                guard recorder != nil else { throw CancellationError() }
                try await Task.sleep(for: listens ? .milliseconds(5) : .seconds(3600))
            },
            jitter: { 0 })
        engine = PaymentEngine(callbacks: .queue(DispatchQueue(label: "test")), retry: policy) {
            device
        }
        queue = SKPaymentQueue(engine: engine)
    }

    /// A payment as apps make it from an identifier.
    static func payment(_ product: String, quantity: Int = 1) -> SKMutablePayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        payment.quantity = quantity
        return payment
    }

    /// Buys one product and waits for the end of the transaction.
    func buy(_ product: String, quantity: Int = 1) async throws -> SKPaymentTransaction {
        queue.add(recorder)
        queue.add(Self.payment(product, quantity: quantity))
        return try await recorder.transaction { $0.transactionState != .purchasing }
    }
}

/// A customer who may do something before they decide.
private struct ScriptedCustomer: OpenStoreSheet {
    let email: String
    let decide: @Sendable (OpenStorePurchaseQuestion) async -> Bool

    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        await decide(question)
    }

    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        question.problem == nil
            ? OpenStoreCredentials(email: email, password: TestStore.password) : nil
    }
}
