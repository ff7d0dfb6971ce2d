import Foundation

/// The rules of refunds.
package enum RefundRules {
    package static let askingDays = 90
    /// The most Unicode scalars that a customer's comment has.
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

    /// A customer's comment as it is kept; empty for none.
    static func comment(_ text: String) -> Result<String, RefundRefusal> {
        do {
            let rule = TextRule(length: 0...commentLimit, allowsLines: true)
            return .success(try rule.checked(text))
        } catch {
            if case .length = error { return .failure(.commentTooLong) }
            return .failure(.commentCharacters)
        }
    }

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
                // Who does not say how much was used has not said that all of it was.
                guard let left else { break }
                guard left > 0 else { return decision(.declined, "All of it was used.") }
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
