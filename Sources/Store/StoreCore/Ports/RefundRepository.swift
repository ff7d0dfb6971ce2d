import Foundation
import StoreModel

/// Which requests for refunds are wanted.
package struct RefundQuery: Sendable, Hashable {
    /// The app's team; nil for all.
    package var team: Int64?
    package var app: AppID?
    package var environment: StoreEnvironment?
    /// Nil for what waits and what is decided.
    package var isWaiting: Bool?

    package init(
        team: Int64? = nil, app: AppID? = nil, environment: StoreEnvironment? = nil,
        isWaiting: Bool? = nil
    ) {
        self.team = team
        self.app = app
        self.environment = environment
        self.isWaiting = isWaiting
    }
}

/// Requests for refunds, and what publishers' servers say about them.
package protocol RefundRepository {
    func request(_ id: RefundRequestID) throws -> RefundRequest?
    /// The last request for a transaction.
    func lastRequest(for transaction: TransactionID) throws -> RefundRequest?
    /// The request's number is ignored; the repository gives it one.
    func insert(_ request: RefundRequest) throws -> RefundRequest
    func record(_ decision: RefundRequest.Decision, on id: RefundRequestID) throws
    /// Those whose time is over, without those that were set aside.
    func due(at date: Date, limit: Int) throws -> [RefundRequestID]
    /// Keeps a request that the store can't decide from keeping others waiting: it is left to
    /// people, and has the reason with it.
    func setAside(_ id: RefundRequestID, because reason: String) throws
    /// When the next one is to be decided; nil for none, and for those that were set aside.
    func nextDue() throws -> Date?
    /// A page of requests, the newest first.
    ///
    /// - Parameter before: gives older ones only.
    func requests(
        _ query: RefundQuery, before: RefundRequestID?, limit: Int
    ) throws -> [RefundRequest]
    /// How often an account was given money back since a date.
    func refunds(of account: AccountID, since date: Date) throws -> Int
    /// Keeps what was said about a purchase: in the place of what was said before, where that has
    /// decided nothing and no request waits.
    func insert(
        _ information: ConsumptionInformation, of transaction: TransactionID, at date: Date) throws
    /// What was said last, since a date.
    func information(
        on transaction: TransactionID, since date: Date
    ) throws -> ConsumptionInformation?
}
