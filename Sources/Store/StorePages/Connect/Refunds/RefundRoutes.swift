import StoreCore
import StoreModel

extension PortalRouteTable {
    /// What customers want their money back for: publishers look, the store's staff decides.
    static let refunds: [PortalRoute] = [
        .get("/refunds", .viewRefunds, RefundListPage.show),
        .get("/refunds/{id}", .viewRefunds, RefundPage.show),
        .post("/refunds/{id}/decide", .decideRefunds, RefundPage.decide),
        .get("/refunds/{id}/reverse", .decideRefunds, RefundPage.askReversal),
        .post("/refunds/{id}/reverse", .decideRefunds, RefundPage.reverse),
    ]
}

extension PortalServices {
    var refunds: RefundService {
        RefundService(database: database, clock: clock)
    }
}

extension PortalCall {
    /// The request for a refund that the path names.
    ///
    /// - Throws: `ConnectRefusal`.
    func refundCase() async throws -> RefundCase {
        guard let number = TransactionID(id)?.number else {
            throw ConnectRefusal.notFound("request for a refund", String(id.prefix(40)))
        }
        return try await services.refunds.refundCase(RefundRequestID(number: number), by: actor)
    }
}

/// Addresses and words of the pages about refunds.
enum RefundStrings {
    static let root = PortalSection.refunds.path

    static func path(_ id: RefundRequestID) -> String { "\(root)/\(id)" }

    static func badge(_ refund: RefundCase) -> PortalBadge {
        switch refund.state {
        case .waiting: PortalBadge("Waiting", .busy)
        case .refunded:
            isPart(refund)
                ? PortalBadge("Refunded in Part", PortalBadge.refunded.tone) : .refunded
        case .declined: PortalBadge("Declined", .bad)
        case .reversed: PortalBadge("Reversed", .warn)
        }
    }

    static func isPart(_ refund: RefundCase) -> Bool {
        guard case .refunded(let percentage) = refund.decision?.outcome else { return false }
        return percentage < Revocation.everything
    }

    /// A part in per cent, with as many digits as it needs.
    static func percent(_ thousandths: Int) -> String {
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        guard rest != 0 else { return "\(whole) %" }
        var digits = String(1000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) %"
    }

    static func preference(_ preference: ConsumptionInformation.Preference?) -> String {
        switch preference {
        case .full: "Give all of it back"
        case .prorated: "Give back what was not used"
        case .decline: "Decline"
        case nil: "None"
        }
    }
}
