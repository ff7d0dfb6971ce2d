import Foundation
import StoreModel

/// Refunds as Connect has them: publishers look, the store's staff decides.
extension RefundService {
    /// As many characters as the sentence of a decision may have.
    package static let groundsLength = 500

    /// Requests for refunds of what is sold in a team's apps, the newest first. Nobody has counted.
    ///
    /// - Parameter query: whose team counts where the actor sees all of them; others get their own.
    /// - Throws: `ConnectRefusal`.
    package func cases(
        _ query: RefundQuery, _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<RefundCase> {
        try actor.require(.viewRefunds)
        if let team = query.team { try TeamRules.check(team, seenBy: actor) }
        let before = try request.key().map(RefundRequestID.init(number:))
        return try await shop.read(as: actor) { work in
            if let app = query.app { _ = try work.app(app) }
            var query = query
            query.team = query.team ?? actor.team
            let found = try work.refunds.requests(query, before: before, limit: request.limit + 1)
            let page = found.prefix(request.limit)
            return ListPage(
                items: try page.compactMap { try Self.refundCase($0, work) },
                total: nil,
                next: found.count > request.limit ? page.last?.id.description : nil)
        }
    }

    /// One request.
    ///
    /// - Throws: `ConnectRefusal`.
    package func refundCase(
        _ id: RefundRequestID, by actor: ConnectActor
    ) async throws -> RefundCase {
        try await shop.read(as: actor, requiring: .viewRefunds) { work in
            guard let request = try work.refunds.request(id),
                let found = try Self.refundCase(request, work)
            else { throw ConnectRefusal.notFound("request for a refund", id.description) }
            return found
        }
    }

    /// Decides a request that waits.
    ///
    /// - Parameter grounds: a sentence that the customer reads.
    /// - Throws: `ConnectRefusal`.
    @discardableResult
    package func decide(
        _ id: RefundRequestID, _ outcome: RefundRequest.Decision.Outcome, grounds: String,
        by actor: ConnectActor
    ) async throws -> RefundCase {
        try actor.require(.decideRefunds)
        let grounds = try ConnectText.checked(
            grounds, field: "grounds", name: "sentence", in: 1...Self.groundsLength)
        do {
            try await decided(id, outcome, grounds: grounds, by: actor)
        } catch let refusal as RefundRefusal {
            throw refusal.inConnect("request for a refund", id.description)
        }
        return try await refundCase(id, by: actor)
    }

    /// Decides a request as the operator of the machine wants it.
    ///
    /// - Parameter grounds: a sentence for people, and who says it.
    /// - Throws: `RefundRefusal`.
    @discardableResult
    package func decide(
        _ id: RefundRequestID, _ outcome: RefundRequest.Decision.Outcome, grounds: String
    ) async throws -> RefundRequest {
        try await decided(id, outcome, grounds: grounds, by: .machine)
    }

    /// As `decide`, by somebody who may; it is written into the log of the app's team.
    @discardableResult
    func decided(
        _ id: RefundRequestID, _ outcome: RefundRequest.Decision.Outcome, grounds: String,
        by actor: ConnectActor
    ) async throws -> RefundRequest {
        try await shop.write(as: actor) { work in
            guard let request = try work.refunds.request(id) else {
                throw RefundRefusal.notFound
            }
            guard request.decision == nil else { throw RefundRefusal.decided }
            let work = try work.at(.buyer(of: request.transaction))
            try Self.carryOut(
                RefundRequest.Decision(outcome: outcome, grounds: grounds, date: work.now), request,
                work)
            let decided = try work.refunds.request(id) ?? request
            try Self.log(
                decided.decision?.outcome == .declined ? "refund.decline" : "refund.grant",
                decided.decision?.grounds, of: request.transaction, work)
            return decided
        }
    }

    /// Takes the refund of a purchase back: the customer has it again.
    ///
    /// - Throws: `ConnectRefusal`.
    @discardableResult
    package func reverse(
        _ transaction: TransactionID, by actor: ConnectActor
    ) async throws -> LedgerEntry {
        try actor.require(.decideRefunds)
        do {
            return try await reversed(transaction, by: actor)
        } catch let refusal as RefundRefusal {
            throw refusal.inConnect("purchase", transaction.description)
        }
    }

    /// Nil where the actor does not see the app's team.
    private static func refundCase(
        _ request: RefundRequest, _ work: UnitOfWork
    ) throws -> RefundCase? {
        guard let app = try work.catalog.app(request.app), work.actor.sees(team: app.teamID),
            let record = try work.transactions.record(request.transaction)
        else { return nil }
        let details = record.entry.details
        let state: RefundCase.State =
            switch request.decision?.outcome {
            case nil: .waiting
            case .declined?: .declined
            case .refunded?: record.facts.revocation == nil ? .reversed : .refunded
            }
        return RefundCase(
            id: request.id, entry: record.entry, app: app,
            productName: try work.catalog.product(details.productID, in: app.id)?
                .details.referenceName ?? details.productID.text,
            reason: request.reason, date: request.date, deadline: request.deadline,
            decision: request.decision, state: state,
            information: try work.refunds.information(
                on: request.transaction, since: request.date),
            customer: try customer(of: request, work))
    }

    private static func customer(
        of request: RefundRequest, _ work: UnitOfWork
    ) throws -> RefundCase.Customer? {
        guard work.actor.team == nil, work.actor.allows(.decideRefunds),
            let account = try work.accounts.account(request.account)
        else { return nil }
        return RefundCase.Customer(email: account.email, comment: request.comment)
    }
}

extension RefundRefusal {
    /// As Connect refuses.
    fileprivate func inConnect(_ what: String, _ id: String) -> ConnectRefusal {
        switch self {
        case .notFound: .notFound(what, id)
        case .decided:
            ConnectRefusal(
                .state, rule: "refundDecided", description,
                help: "A refund that was given can be reversed; a customer who was declined can "
                    + "ask again.")
        case .notRefunded:
            ConnectRefusal(
                .state, rule: "purchaseNotRefunded",
                "The purchase is not refunded, or the refund was reversed already.",
                help: "Nothing is left to do: the customer has it.")
        case .waiting:
            ConnectRefusal(
                .state, rule: "refundRefused", description,
                help: "Decide that request (openstore refund list).")
        case .free, .shared, .refunded, .tooLate, .reversed, .commentTooLong, .commentCharacters:
            ConnectRefusal(
                .state, rule: "refundRefused", description,
                help: "Nothing can be given back for this purchase.")
        }
    }
}
