import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Answers about single transactions, kept for a few seconds.
///
/// To sign takes longer than everything else. Servers ask about the same transaction again and
/// again; what was signed a moment ago still holds where the transaction is what it was, and
/// the key the one that signs.
final class TransactionAnswers: Sendable {
    /// How old a signature may be, seconds.
    static let lifetime: TimeInterval = 5
    private static let capacity = 16_384

    /// Everything that an answer depends on, besides the database.
    struct Question: Hashable {
        let token: String
        let environment: StoreEnvironment
        /// As it stands in the address.
        let id: String
    }

    private struct Kept {
        let record: TransactionRecord
        let response: HTTPResponse
        /// Of the key that signed it.
        let identity: JWSSigner.Identity
        let end: Date
        /// What the database was at when the answer held last; nil where nobody can say at once.
        var changes: Int64?
    }

    private let signer: TransactionSigner
    private let identity: @Sendable () throws -> JWSSigner.Identity
    private let clock: any StoreClock
    private let kept = Mutex<[Question: Kept]>([:])

    init(services: APIServices) {
        signer = TransactionSigner(signer: services.signer, clock: services.clock)
        identity = services.signer.identity
        clock = services.clock
    }

    /// An answer that holds still, because nothing at all has changed.
    ///
    /// - Parameter changes: what the database is at.
    func known(_ question: Question, _ changes: Int64, at now: Date) -> HTTPResponse? {
        guard let known = kept.withLock({ $0[question] }), known.changes == changes,
            known.end > now, known.identity === (try? identity())
        else { return nil }
        return known.response
    }

    /// The answer to a question whose transaction was looked up.
    ///
    /// - Parameters:
    ///   - changes: what the database was at before; nil where one hears of others' changes a moment
    ///     later, so that the transaction is looked up each time.
    ///   - expiration: that of the token.
    func answer(
        _ question: Question, _ record: TransactionRecord, _ changes: Int64?,
        until expiration: Date
    ) throws -> HTTPResponse {
        let now = clock.now()
        let identity = try identity()
        let known: HTTPResponse? = kept.withLock { kept in
            guard let known = kept[question], known.record == record, known.end > now,
                known.identity === identity
            else { return nil }
            kept[question]?.changes = changes
            return known.response
        }
        if let known { return known }
        let response = try self.response(record)
        kept.withLock { kept in
            if kept.count >= Self.capacity { kept.removeAll() }
            kept[question] = Kept(
                record: record, response: response, identity: identity,
                end: min(now + Self.lifetime, expiration), changes: changes)
        }
        return response
    }

    /// A fresh answer.
    func response(_ record: TransactionRecord) throws -> HTTPResponse {
        try .server(TransactionInfoResponse(signedTransactionInfo: try signer.sign(record)))
    }
}
