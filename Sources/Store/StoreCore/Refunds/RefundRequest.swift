import Foundation
import StoreDatabase
import StoreModel

/// The number of a request for a refund.
package typealias RefundRequestID = ID<RefundRequest>

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
        private var percentage: Int?
        /// A sentence for people: by which rule, or by whom.
        package var grounds: String
        package let date: Date

        package init(outcome: Outcome, grounds: String, date: Date) {
            percentage = if case .refunded(let part) = outcome { part } else { nil }
            self.grounds = grounds
            self.date = date
        }

        package var outcome: Outcome {
            percentage.map { .refunded(percentage: $0) } ?? .declined
        }

        fileprivate var outcomeWord: String { percentage == nil ? "DECLINED" : "REFUNDED" }

        /// Says that the purchase was taken back in another way while the request waited.
        mutating func follow(_ revocation: Revocation) {
            percentage = revocation.percentage > 0 ? revocation.percentage : nil
            grounds = "The purchase was taken back already."
        }

        /// Gives back less.
        mutating func limit(to part: Int) { percentage = part }

        /// Gives nothing back.
        mutating func decline(because grounds: String) {
            percentage = nil
            self.grounds = grounds
        }

        /// That the purchase was taken back in another way while the request waited.
        static func taken(_ revocation: Revocation, at date: Date) -> Decision {
            var decision = Decision(outcome: .declined, grounds: "", date: date)
            decision.follow(revocation)
            return decision
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
    package var decision: Decision?
}

extension RefundRequest: Record {
    package static let table: StaticString = "refund_request"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        transaction = try column("transaction_id", \.transaction, .immutable)
        account = try column("account", \.account, .immutable)
        app = try column("app", \.app, .immutable)
        environment = try column("environment", \.environment, .immutable)
        reason = try column("reason", \.reason, .immutable)
        comment = try column("comment", \.comment, .immutable)
        date = try column("date", \.date, .immutable)
        deadline = try column("deadline", \.deadline, .immutable)
        decision = try column.part(\.decision)
    }
}

/// `outcome` says in words what the percentage says.
extension RefundRequest.Decision: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        column.derived("outcome", \.outcomeWord)
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
    case commentCharacters

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
        case .commentCharacters: "Take out control characters other than line breaks."
        }
    }
}
