import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// The requests of devices about an account's history, subscriptions and app transaction in an
/// app, and for refunds.
struct DeviceHistory: Sendable {
    private let services: APIServices
    private let allowance: RequestAllowance
    private let signer: DeviceSigner
    private let revisions: RevisionSeal
    private let appTransactions: AppTransactionService

    /// - Parameter allowance: the rate limit of answers with many signatures.
    init(services: APIServices, allowance: RequestAllowance) {
        self.services = services
        self.allowance = allowance
        signer = DeviceSigner(services: services)
        revisions = RevisionSeal(seals: services.seals)
        appTransactions = AppTransactionService(
            database: services.database, clock: services.customerClock)
    }

    func perform(
        _ operation: DeviceOperation, _ request: HTTPRequest, _ caller: Caller, app: App
    ) async throws -> HTTPResponse {
        let account = try caller.signedIn()
        let subject = HistorySubject(account: account.id, app: app.id)
        switch operation {
        case .requestRefund: return try await requestRefund(request, of: subject)
        case .appTransaction:
            let facts = try await appTransactions.facts(for: account, in: app)
            return try .json(
                AppTransactionAnswer(
                    signedAppTransaction: try signer.sign(facts, for: caller.device),
                    ageRatingCode: try await appTransactions.ageRating(of: app)))
        case .history:
            try allowance.count(.customer(account.id), of: request)
            return try await history(request, of: subject, for: caller.device)
        case .subscriptions:
            try allowance.count(.customer(account.id), of: request)
            return try await subscriptions(of: subject, for: caller.device)
        default: throw DeviceRouteTable.WrongHandler()
        }
    }

    private func history(
        _ request: HTTPRequest, of subject: HistorySubject, for device: String
    ) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(DeviceHistoryRequest.self, from: request.body)
        let cursor = wanted.revision.flatMap { revisions.cursor($0, of: subject) }
        let page = try await services.history.changes(of: subject, after: cursor)
        let answer = DeviceHistoryAnswer(
            transactions: [], revision: revisions.seal(page.cursor, of: subject),
            hasMore: page.hasMore,
            startsOver: page.startsOver || (wanted.revision != nil && cursor == nil),
            revokedCertificates: RevokedCertificates(
                services.revokedCertificates().lazy.map(\.text)),
            time: CustomerClock.date?.milliseconds)
        return try await services.signingPool.run(signing: page.records.count) { [signer] in
            var answer = answer
            answer.transactions = try page.records.map { try signer.sign($0, for: device) }
            return try .json(answer)
        }
    }

    private func subscriptions(
        of subject: HistorySubject, for device: String
    ) async throws -> HTTPResponse {
        let statuses = try await services.subscriptionStatuses.statuses(of: subject)
        return try await services.signingPool.run(signing: 2 * statuses.count) { [signer] in
            var groups: [DeviceSubscriptionsAnswer.Group] = []
            for status in statuses {
                guard let information = status.information else { continue }
                let item = DeviceSubscriptionsAnswer.Item(
                    status: status.status,
                    signedTransaction: try signer.sign(status.record, for: device),
                    signedRenewalInfo: try signer.sign(
                        information, of: status.record, for: device))
                if let known = groups.firstIndex(where: { $0.groupId == status.group }) {
                    groups[known].items.append(item)
                } else {
                    groups.append(
                        DeviceSubscriptionsAnswer.Group(groupId: status.group, items: [item]))
                }
            }
            return try .json(DeviceSubscriptionsAnswer(groups: groups))
        }
    }

    private func requestRefund(
        _ request: HTTPRequest, of subject: HistorySubject
    ) async throws -> HTTPResponse {
        let id = try DeviceOperations.transactionID(request)
        let wanted = try WireCoding.decode(DeviceRefundRequest.self, from: request.body)
        guard let reason = RefundReason(rawValue: wanted.reason ?? RefundReason.other.rawValue)
        else {
            throw WireError(
                code: .malformedRequest,
                message: "The reason is none of "
                    + "\(RefundReason.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let result = try await services.refunds.ask(
            id, of: subject.account, in: subject.app, reason: reason,
            comment: wanted.comment ?? "")
        if case .failure(let refusal) = result { throw WireError(refusal, of: id) }
        return HTTPResponse(status: 204)
    }
}

extension WireError {
    init(_ refusal: RefundRefusal, of id: TransactionID) {
        switch refusal {
        case .notFound: self = .transactionNotFound(id)
        case .waiting, .refunded, .decided, .reversed:
            self.init(code: .refundRequested, message: refusal.description)
        case .free, .shared, .tooLate, .notRefunded:
            self.init(code: .refundNotPossible, message: refusal.description)
        case .commentTooLong, .commentCharacters:
            self.init(code: .malformedRequest, message: refusal.description)
        }
    }
}
