import StoreDelivery
import StoreModel
import StoreWire
import Synchronization

/// The store's permission to fetch a version of content, asked for anew when it ends.
final class DownloadGrants: Sendable {
    private struct State {
        /// An answer that nobody has looked at yet.
        var first: DownloadAnswer?
        var grant: String?
    }

    private let wanted: DownloadRequest
    private let transaction: TransactionID
    private let client: StoreClient
    private let askStore: @Sendable () async throws -> DownloadAnswer
    private let state: Mutex<State>

    /// - Parameters:
    ///   - first: an answer that is at hand.
    ///   - ask: gets another one from the store.
    init(
        _ wanted: DownloadRequest, of transaction: TransactionID, client: StoreClient,
        first: DownloadAnswer? = nil,
        ask: @escaping @Sendable () async throws -> DownloadAnswer
    ) {
        self.wanted = wanted
        self.transaction = transaction
        self.client = client
        askStore = ask
        state = Mutex(State(first: first))
    }

    /// Permission for the signed-in account.
    convenience init(
        _ content: WireContent, of transaction: TransactionID, device: StoreDevice
    ) {
        let wanted = DownloadRequest(
            contentIdentifier: content.contentIdentifier, version: content.version)
        self.init(wanted, of: transaction, client: device.client) {
            try await device.withSession { session in
                try await device.client.download(wanted, of: transaction, session: session)
            }
        }
    }

    /// Asks the store, and gives what it has signed for.
    ///
    /// - Throws: `WireError`, `URLError`; `SecurityError` where the answer is not the store's.
    func ask() async throws -> DeliveryPayload {
        let answer: DownloadAnswer
        if let first = state.withLock({ $0.first.take() }) {
            answer = first
        } else {
            answer = try await askStore()
        }
        let delivery = try client.verified(answer.signedDelivery, for: transaction, wanted)
        state.withLock { $0.grant = answer.grant }
        return delivery
    }

    /// Asks the store for what the next ``ask()`` looks at.
    func fetchAnswer() async throws -> DownloadAnswer {
        let answer = try await askStore()
        state.withLock { $0.first = answer }
        return answer
    }

    /// What a request has to show.
    func current() async throws -> String {
        if let known = state.withLock({ $0.grant }) { return known }
        _ = try await ask()
        return state.withLock { $0.grant } ?? ""
    }

    /// The store does not take it any longer.
    func forget(_ used: String) {
        state.withLock { state in if state.grant == used { state.grant = nil } }
    }
}
