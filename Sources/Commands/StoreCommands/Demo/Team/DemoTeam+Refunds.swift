import Foundation
import StoreCore
import StoreModel

/// Customers who want their money back.
extension DemoTeam {
    private static let comments = [
        "The picture stays black on my machine.",
        "I had hoped for more of the sea and less of the harbour office.", "",
        "My daughter pressed the button twice.",
    ]

    /// Lets a customer ask, and on some days the publisher's server or the operator answer; what
    /// nobody answers, the store decides a day later.
    func askForRefund(
        of id: TransactionID, _ reason: RefundReason, on day: Int
    ) async throws {
        let refunds = store.services.refunds
        let comment = Self.comments[day % Self.comments.count]
        // What cost nothing has nothing to give back.
        guard
            case .success(let request) = try await refunds.ask(
                id, of: nil, reason: reason, comment: comment)
        else { return }
        switch day % 6 {
        case _ where day == 0: return
        case 1, 4:
            _ = try await refunds.inform(
                ConsumptionInformation(
                    customerConsented: true, consumed: 80_000, wasDelivered: true,
                    sampleProvided: true, preference: day % 6 == 1 ? .decline : .prorated),
                about: id, in: request.app, request.environment)
        case 2:
            _ = try await refunds.decide(
                request.id, .refunded(percentage: Revocation.everything),
                grounds: "We have seen the same on our own machine.", by: try actor(.operator))
        default: return
        }
    }

    /// Decides what the publisher has been silent about.
    func decideRefunds() async throws {
        try await store.services.refunds.advance()
    }
}
