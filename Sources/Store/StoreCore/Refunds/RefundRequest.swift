import Foundation
import StoreModel

/// The number of a request for a refund.
package struct RefundRequestID: Hashable, Sendable, CustomStringConvertible, NumberColumnValue {
    package let number: Int64

    package init(number: Int64) { self.number = number }

    package var description: String { String(number) }
}

/// Why a customer wants their money back. The names are those of App Store Server Notifications.
package enum RefundReason: String, Hashable, CaseIterable, TextColumnValue {
    case unintended = "UNINTENDED_PURCHASE"
    case fulfillment = "FULFILLMENT_ISSUE"
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"

    /// For people.
    package var title: String {
        switch self {
        case .unintended: "I did not mean to buy it"
        case .fulfillment: "I did not get it, or it does not work"
        case .unsatisfied: "It is not what I expected"
        case .legal: "The law gives me the right to it"
        case .other: "Another reason"
        }
    }
}

/// A customer's request for a refund.
package struct RefundRequest: Sendable, Hashable {
    /// How a request ended.
    package struct Decision: Sendable, Hashable {
        package enum Outcome: Sendable, Hashable {
            /// In thousandths of a per cent of what was charged.
            case refunded(percentage: Int)
            case declined
        }

        /// The part of the charge that the customer gets back; nil if the request is declined.
        private let percentage: Int?
        /// A sentence for people: by which rule, or by whom.
        package let grounds: String
        package let date: Date

        package init(outcome: Outcome, grounds: String, date: Date) {
            percentage = if case .refunded(let part) = outcome { part } else { nil }
            self.grounds = grounds
            self.date = date
        }

        package var outcome: Outcome {
            percentage.map { .refunded(percentage: $0) } ?? .declined
        }

        /// That the purchase was taken back in another way while the request waited.
        static func taken(_ revocation: Revocation, at date: Date) -> Decision {
            Decision(
                outcome: revocation.percentage > 0
                    ? .refunded(percentage: revocation.percentage) : .declined,
                grounds: "The purchase was taken back already.", date: date)
        }
    }

    package let id: RefundRequestID
    package let transaction: TransactionID
    package let account: AccountID
    package let app: AppID
    package let environment: StoreEnvironment
    package let reason: RefundReason
    /// What the customer wrote; may be empty.
    package let comment: String
    package let date: Date
    /// When the store decides by itself, at the latest.
    package let deadline: Date
    package let decision: Decision?
}

extension RefundRequest: Record {
    package static let table: StaticString = "refund_request"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        transaction = try column("transaction_id", \.transaction)
        account = try column("account", \.account)
        app = try column("app", \.app)
        environment = try column("environment", \.environment)
        reason = try column("reason", \.reason)
        comment = try column("comment", \.comment)
        date = try column("date", \.date)
        deadline = try column("deadline", \.deadline)
        decision = try column.part(\.decision)
    }
}

/// `outcome` says in words what the percentage says.
extension RefundRequest.Decision: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        percentage = try column("percentage", \.percentage)
        grounds = try column("grounds", \.grounds)
        date = try column("decided", \.date)
    }
}

/// What a publisher's server says about how a purchase was used.
package struct ConsumptionInformation: Sendable, Hashable, Codable {
    package enum Preference: String, Sendable, Hashable, Codable, CaseIterable {
        case decline = "DECLINE"
        case full = "GRANT_FULL"
        case prorated = "GRANT_PRORATED"
    }

    /// Whether the customer agreed that the store hears of it: without, nothing is taken.
    package var customerConsented: Bool
    /// How much of it was used, in thousandths of a per cent; nil where nobody says.
    package var consumed: Int?
    /// Whether the app gave what was bought, and it worked.
    package var wasDelivered: Bool
    /// Whether there was a sample, or an explanation, before the purchase.
    package var sampleProvided: Bool
    package var preference: Preference?

    package init(
        customerConsented: Bool, consumed: Int?, wasDelivered: Bool, sampleProvided: Bool,
        preference: Preference?
    ) {
        self.customerConsented = customerConsented
        self.consumed = consumed
        self.wasDelivered = wasDelivered
        self.sampleProvided = sampleProvided
        self.preference = preference
    }
}

/// Why a request for a refund is not taken.
package enum RefundRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound
    case free
    case shared
    case refunded
    case waiting
    case tooLate
    case decided
    case notRefunded
    case reversed
    case commentTooLong

    package var description: String {
        switch self {
        case .notFound: "There is no such purchase."
        case .free: "It cost nothing, so there is nothing to give back."
        case .shared: "It came through the family; who bought it can ask."
        case .refunded: "The money was given back already."
        case .waiting: "A request for this purchase waits for an answer."
        case .tooLate:
            "Refunds can be asked for within \(RefundRules.askingDays) days of the purchase."
        case .decided: "The request was decided already."
        case .notRefunded: "The purchase was not refunded."
        case .reversed:
            "The money was given back once, and that was undone: it is not given back again."
        case .commentTooLong: "Write \(RefundRules.commentLimit) characters or fewer."
        }
    }
}

/// The rules of refunds.
package enum RefundRules {
    package static let askingDays = 90
    /// Characters of what a customer writes.
    package static let commentLimit = 4000
    /// Within so many days of the purchase a refund is granted where nobody objects.
    package static let grantDays = 14
    /// So many refunds within a year are granted where the publisher is silent.
    package static let silentLimit = 5
    /// Publishers' servers have so long to say how the purchase was used, in seconds.
    package static let answerTime: TimeInterval = 12 * 3600
    /// Testers need not wait so long.
    package static let sandboxAnswerTime: TimeInterval = 120

    private static let day: TimeInterval = 86_400

    /// Why nobody can ask; nil where they can.
    ///
    /// - Parameter wasReversed: whether a refund of it was taken back. The ledger has one
    ///   revocation of each purchase, and one reversal.
    package static func refusal(
        of record: TransactionRecord, isWaiting: Bool, wasReversed: Bool = false, at now: Date
    ) -> RefundRefusal? {
        if record.shared != nil { return .shared }
        if record.facts.revocation != nil || record.refundable(of: Revocation.everything) == 0 {
            return .refunded
        }
        if wasReversed { return .reversed }
        if record.entry.details.charged.thousandths == 0 { return .free }
        if isWaiting { return .waiting }
        let age = now.timeIntervalSince(record.entry.details.date)
        return age > TimeInterval(askingDays) * day ? .tooLate : nil
    }

    /// What the store decides where no person does.
    ///
    /// - Parameters:
    ///   - refunds: what the account was given back within a year.
    ///   - unused: how much of a subscription's period is ahead, in thousandths of a per cent; nil
    ///     for what is no subscription.
    package static func decide(
        _ request: RefundRequest, _ record: TransactionRecord,
        _ information: ConsumptionInformation?, refunds: Int, unused: Int?, at now: Date
    ) -> RefundRequest.Decision {
        func decision(
            _ outcome: RefundRequest.Decision.Outcome, _ grounds: String
        ) -> RefundRequest.Decision {
            RefundRequest.Decision(outcome: outcome, grounds: grounds, date: now)
        }
        if request.reason == .legal {
            return decision(
                .refunded(percentage: Revocation.everything), "The law gives the right to it.")
        }
        if let information, information.customerConsented {
            let left = unused ?? information.consumed.map { Revocation.everything - $0 }
            switch information.preference {
            case .full:
                return decision(
                    .refunded(percentage: Revocation.everything), "The publisher agrees.")
            case .prorated:
                guard let left, left > 0 else {
                    return decision(.declined, "All of it was used.")
                }
                return decision(
                    .refunded(percentage: left), "The publisher agrees for what was not used.")
            case .decline where information.wasDelivered:
                return decision(.declined, "The publisher has delivered it, and declines.")
            case .decline, nil: break
            }
            if !information.wasDelivered {
                return decision(
                    .refunded(percentage: Revocation.everything),
                    "The publisher says that it was not delivered.")
            }
            if information.consumed == Revocation.everything {
                return decision(.declined, "All of it was used.")
            }
        }
        guard now.timeIntervalSince(record.entry.details.date) <= TimeInterval(grantDays) * day
        else {
            return decision(.declined, "It was bought more than \(grantDays) days ago.")
        }
        guard refunds < silentLimit else {
            return decision(
                .declined, "The account had \(refunds) refunds within a year.")
        }
        return decision(
            .refunded(percentage: Revocation.everything),
            "It was bought within \(grantDays) days, and the publisher does not object.")
    }
}
