import StoreDelivery
import StoreModel
import StoreWire
import Synchronization

/// The store's permission to fetch a version of content, asked for anew when it ends.
final class DownloadPermits: Sendable {
    private let wanted: DownloadRequest
    private let transaction: TransactionID
    private let device: StoreDevice
    private let grant = Mutex<String?>(nil)

    init(_ content: WireContent, of transaction: TransactionID, device: StoreDevice) {
        wanted = DownloadRequest(
            contentIdentifier: content.contentIdentifier, version: content.version)
        self.transaction = transaction
        self.device = device
    }

    /// Asks the store, and gives what it has signed for.
    ///
    /// - Throws: `WireError`, `URLError`; `SecurityError` where the answer is not the store's.
    func ask() async throws -> DeliveryPayload {
        let answer = try await device.withSession { session in
            try await device.client.download(wanted, of: transaction, session: session)
        }
        let delivery = try device.client.verified(
            answer.signedDelivery, for: transaction, wanted)
        grant.withLock { $0 = answer.grant }
        return delivery
    }

    /// What a request has to show.
    func current() async throws -> String {
        if let known = grant.withLock({ $0 }) { return known }
        _ = try await ask()
        return grant.withLock { $0 } ?? ""
    }

    /// The store does not take it any longer.
    func forget(_ used: String) {
        grant.withLock { grant in if grant == used { grant = nil } }
    }
}
