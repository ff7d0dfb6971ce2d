import Foundation
import StoreModel

/// Refunds: customers ask, publishers' servers say how a purchase was used, the store decides.
package struct RefundService: Sendable {
    private static let batch = 100
    private static let year: TimeInterval = 365 * 86_400

    let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Takes a customer's request, and asks the publisher's server how the purchase was used.
    ///
    /// - Parameters:
    ///   - account: whose purchase it has to be; nil for anybody's.
    ///   - app: the app in which it was bought; nil for any. A request with account and app comes from the
    ///     app itself: it switches renewing off.
    package func ask(
        _ transaction: TransactionID, of account: AccountID?, in app: AppID? = nil,
        reason: RefundReason, comment text: String
    ) async throws -> Result<RefundRequest, RefundRefusal> {
        // The publisher's server has to answer by the store's time, whatever the customer's is.
        let begin = shop.clock.now()
        return try await shop.write(for: .buyer(of: transaction)) { work in
            guard let record = try work.transactions.record(transaction),
                account == nil || record.entry.details.account == account,
                app == nil || record.entry.details.app == app,
                try work.transactions.isInHistory(transaction)
            else { return .failure(.notFound) }
            if let refusal = try work.refundRefusal(of: record) {
                return .failure(refusal)
            }
            let comment: String
            switch RefundRules.comment(text) {
            case .success(let checked): comment = checked
            case .failure(let refusal): return .failure(refusal)
            }
            // Who asks in the app wants no more of it.
            if account != nil, app != nil {
                try Self.endRenewing(of: record, work)
            }
            let details = record.entry.details
            let time =
                details.environment == .sandbox
                ? RefundRules.sandboxAnswerTime : RefundRules.answerTime
            let request = try work.refunds.insert(
                RefundRequest(
                    id: RefundRequestID(number: 0), transaction: transaction,
                    account: details.account, app: details.app, environment: details.environment,
                    reason: reason, comment: comment, date: work.now,
                    deadline: begin.addingTimeInterval(time), decision: nil))
            try work.notify(
                .consumptionRequest, of: transaction,
                subscription: try Self.subscription(record, work),
                consumptionReason: reason.rawValue)
            return .success(request)
        }
    }

    private static func endRenewing(of record: TransactionRecord, _ work: UnitOfWork) throws {
        guard let subscription = try subscription(record, work),
            subscription.latest == record.entry.id, subscription.isRenewing
        else { return }
        var next = subscription
        next.setRenews(false, at: work.now)
        try work.saveChange(of: next, over: subscription)
    }

    /// Keeps what a publisher's server says; a request that waits for it is decided soon.
    ///
    /// - Returns: false where the app has no such transaction.
    package func inform(
        _ information: ConsumptionInformation, about transaction: TransactionID, in app: AppID,
        _ environment: StoreEnvironment
    ) async throws -> Bool {
        try await shop.write(for: .buyer(of: transaction)) { work in
            guard let record = try work.transactions.record(transaction),
                record.entry.details.app == app, record.entry.details.environment == environment
            else { return false }
            // What stands for a period or a first purchase is given back with it.
            let sold = record.entry.revocable
            try work.refunds.insert(information, of: sold, at: work.now)
            if let request = try work.refunds.lastRequest(for: sold),
                request.decision == nil
            {
                try Self.decide(request, work)
            }
            return true
        }
    }

    /// Decides what nobody has decided in time, each request in a transaction of its own. One that
    /// can't be decided is left to people.
    ///
    /// - Parameter time: what the clock shows; `nil` while it can't be believed, and nothing is
    ///   decided.
    /// - Throws: `RowsSetAside` at the end, where there was such a one.
    package func advance(_ time: BelievedTime? = nil) async throws {
        var problems: [String] = []
        while let now = try await shop.clock.now(time),
            let due = try await nextDue(), due <= now
        {
            let found = try await shop.read { try $0.refunds.due(at: now, limit: Self.batch) }
            let (done, failed) = try await SettingAside.each(found) { id in
                try await decide(id, dueAt: now)
            } setAside: { id, reason in
                try await shop.write { try $0.refunds.setAside(id, because: reason) }
            }
            problems += failed
            if done == 0 { break }
        }
        guard problems.isEmpty else {
            throw RowsSetAside(what: "requests for refunds", problems: problems)
        }
    }

    /// - Returns: false where somebody else has decided it.
    private func decide(_ id: RefundRequestID, dueAt now: Date) async throws -> Bool {
        try await shop.write { work in
            guard let request = try work.refunds.request(id), request.decision == nil,
                request.deadline <= now
            else { return false }
            guard try work.transactions.record(request.transaction) != nil else {
                throw RefundBroken(transaction: request.transaction)
            }
            try Self.decide(request, work.at(now).at(.buyer(of: request.transaction)))
            return true
        }
    }

    /// Takes a refund back, as the operator of the machine wants it: the customer has again what
    /// was bought.
    ///
    /// - Throws: `RefundRefusal`.
    @discardableResult
    package func reverse(_ transaction: TransactionID) async throws -> LedgerEntry {
        try await reversed(transaction, by: .machine)
    }

    /// As `reverse`, by somebody who may; it is written into the log of the app's team.
    @discardableResult
    func reversed(
        _ transaction: TransactionID, by actor: ConnectActor
    ) async throws -> LedgerEntry {
        try await shop.write(for: .buyer(of: transaction), as: actor) { work in
            guard let named = try work.ledger.entry(transaction),
                let entry = try work.ledger.entry(named.revocable)
            else { throw RefundRefusal.notFound }
            guard try work.transactions.recordReversal(of: entry.id, at: work.now) else {
                throw RefundRefusal.notRefunded
            }
            if var subscription = try work.renewals.subscription(entry.original.id),
                subscription.latest == entry.id, subscription.state == .revoked
            {
                subscription.goOn(at: work.now)
                try work.save(subscription, isShared: false)
            }
            try work.events.append(
                DeviceEventDraft(
                    account: entry.details.account, app: entry.details.app, kind: .transactions),
                at: work.now)
            try work.notify(
                .refundReversed, of: entry.id,
                subscription: try work.renewals.subscription(entry.original.id))
            let product = try work.catalog.product(entry.details.productID, in: entry.details.app)
            if product?.details.isFamilyShareable == true {
                try work.shareWithFamily(entry)
            }
            try Self.log("refund.reverse", nil, of: entry.id, work)
            return entry
        }
    }

    /// A page of requests, the newest first.
    package func requests(
        team: Int64?, waiting: Bool, before: RefundRequestID? = nil, limit: Int
    ) async throws -> [RefundRequest] {
        try await shop.read { work in
            try work.refunds.requests(
                RefundQuery(team: team, isWaiting: waiting ? true : nil), before: before,
                limit: limit)
        }
    }

    package func request(_ id: RefundRequestID) async throws -> RefundRequest? {
        try await shop.read { try $0.refunds.request(id) }
    }

    package func nextDue() async throws -> Date? {
        try await shop.read { try $0.refunds.nextDue() }
    }

    // MARK: Inside a transaction

    static func log(
        _ action: String, _ grounds: String?, of transaction: TransactionID, _ work: UnitOfWork
    ) throws {
        guard let details = try work.ledger.entry(transaction)?.details else { return }
        try work.note(
            action, on: "\(details.productID), transaction \(transaction)",
            of: try work.catalog.app(details.app)?.teamID, after: grounds)
    }

    private static func decide(_ request: RefundRequest, _ work: UnitOfWork) throws {
        guard let record = try work.transactions.record(request.transaction) else { return }
        let decision = RefundRules.decide(
            request, record,
            try work.refunds.information(on: request.transaction, since: request.date),
            refunds: try work.refunds.refunds(
                of: request.account, since: work.now.addingTimeInterval(-year)),
            unused: record.unusedPart(
                at: work.now, paidUntil: try work.renewals.paidEnd(of: record.entry.revocable)),
            at: work.now)
        try carryOut(decision, request, work)
    }

    static func carryOut(
        _ decision: RefundRequest.Decision, _ request: RefundRequest, _ work: UnitOfWork
    ) throws {
        guard let record = try work.transactions.record(request.transaction) else { return }
        let entry = record.entry
        var decision = decision
        if let revocation = record.facts.revocation {
            decision.follow(revocation)
            return try work.refunds.record(decision, on: request)
        }
        if try work.transactions.isReversed(entry.revocable) {
            decision.decline(because: RefundRefusal.reversed.description)
        }
        if case .refunded(let wanted) = decision.outcome {
            // A part may have come back as a better product began.
            let left = record.refundable(of: wanted)
            if left > 0 {
                decision.limit(to: left)
            } else {
                decision.decline(because: RefundRefusal.refunded.description)
            }
        }
        try work.refunds.record(decision, on: request)
        switch decision.outcome {
        case .refunded(let percentage):
            try work.revoke(
                entry,
                Revocation(
                    transaction: entry.revocable,
                    reason: request.reason == .fulfillment ? .developerIssue : .other,
                    date: decision.date, percentage: percentage))
        case .declined:
            try work.notify(
                .refundDeclined, of: request.transaction,
                subscription: try work.renewals.subscription(entry.original.id))
        }
    }

    private static func subscription(
        _ record: TransactionRecord, _ work: UnitOfWork
    ) throws -> Subscription? {
        record.group == nil
            ? nil : try work.renewals.subscription(record.entry.original.id)
    }
}

extension UnitOfWork {
    /// The reason why the buyer can't ask for a refund of a purchase. Nil if the buyer can.
    func refundRefusal(of record: TransactionRecord) throws -> RefundRefusal? {
        let last = try refunds.lastRequest(for: record.id)
        return RefundRules.refusal(
            of: record, isWaiting: last.map { $0.decision == nil } ?? false,
            wasReversed: try transactions.isReversed(record.entry.revocable), at: now)
    }
}

/// A request for a refund refers to a transaction that the ledger does not have.
private struct RefundBroken: Error, CustomStringConvertible {
    let transaction: TransactionID

    var description: String { "the ledger has no transaction \(transaction)" }
}
