import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire

/// Responses about single transactions, good for a few seconds.
///
/// To sign takes longer than everything else. Servers ask about the same transaction again and
/// again; what was signed a moment ago still holds where the transaction is what it was, and
/// the key the one that signs.
final class TransactionResponseCache: Sendable {
    /// How old a signature may be, seconds.
    static let lifetime: TimeInterval = 5

    /// Everything that a response depends on, besides the database.
    struct Question: Hashable {
        let token: String
        let environment: StoreEnvironment
        /// As it stands in the address.
        let id: String
    }

    private struct Signed {
        let record: TransactionRecord
        let response: HTTPResponse
        /// Of the key that signed it.
        let identity: JWSSigner.Identity
        let end: Date
        /// The date of the sandbox clock when it was signed; nil if the account follows none.
        let time: Date?
        /// What the database was at when the response held last; nil where nobody can say at once.
        var changes: Int64?
    }

    private let signer: TransactionSigner
    private let identity: @Sendable () throws -> JWSSigner.Identity
    private let clock: any StoreClock
    private let responses: Cache<Question, Signed>

    init(services: APIServices) {
        signer = services.transactionSigner
        identity = services.signer.identity
        clock = services.clock
        responses = Cache(limit: 16_384, now: clock.now, end: { signed, _ in signed.end })
    }

    /// A response that holds still, because nothing at all has changed.
    ///
    /// - Parameter changes: what the database is at.
    func known(_ question: Question, _ changes: Int64) -> HTTPResponse? {
        guard let known = responses.value(for: question), known.changes == changes,
            known.identity === (try? identity())
        else { return nil }
        return known.response
    }

    /// The response to a question whose transaction was looked up.
    ///
    /// - Parameters:
    ///   - changes: what the database was at before; nil where one hears of others' changes a moment
    ///     later, so that the transaction is looked up each time.
    ///   - expiration: that of the token.
    func response(
        to question: Question, _ record: TransactionRecord, _ changes: Int64?,
        until expiration: Date
    ) throws -> HTTPResponse {
        let identity = try identity()
        if var known = responses.value(for: question), known.record == record,
            known.identity === identity, known.time == CustomerClock.date
        {
            known.changes = changes
            responses.insert(known, for: question)
            return known.response
        }
        let end = min(clock.now() + Self.lifetime, expiration)
        let response = try self.response(record)
        responses.insert(
            Signed(
                record: record, response: response, identity: identity, end: end,
                time: CustomerClock.date, changes: changes), for: question)
        return response
    }

    /// A fresh response.
    func response(_ record: TransactionRecord) throws -> HTTPResponse {
        try .server(TransactionInfoResponse(signedTransactionInfo: try signer.sign(record)))
    }
}
