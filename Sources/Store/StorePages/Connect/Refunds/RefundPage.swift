import StoreCore
import StoreModel

/// One request for a refund: what was bought, what the publisher's server said, what became of it.
enum RefundPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call))
    }

    // MARK: Steps

    static func decide(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let refund = try await call.refundCase()
            let outcome: RefundRequest.Decision.Outcome
            switch call.form["decision"] {
            case "refund": outcome = .refunded(percentage: Revocation.everything)
            case "decline": outcome = .declined
            default:
                throw ConnectRefusal(
                    .invalid, rule: "decisionMissing", field: "decision", "Nothing is decided.",
                    help: "Choose what is to become of the request.")
            }
            try await call.services.refunds.decide(
                refund.id, outcome, grounds: call.form["grounds"], by: call.actor)
            return .redirect(
                to: RefundStrings.path(refund.id),
                notice: outcome == .declined
                    ? "The request is declined." : "The money is given back.")
        } again: {
            try await page(call, decision: $0)
        }
    }

    static func askReversal(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await reversal(call, PortalForm(call)))
    }

    static func reverse(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let refund = try await call.refundCase()
            try await call.services.refunds.reverse(refund.entry.id, by: call.actor)
            return .redirect(
                to: RefundStrings.path(refund.id),
                notice: "The refund is taken back: the customer has the purchase again.")
        } again: {
            try await reversal(call, $0)
        }
    }

    private static func reversal(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage
    {
        let refund = try await call.refundCase()
        guard refund.state == .refunded else {
            throw ConnectRefusal(
                .state, rule: "purchaseNotRefunded",
                "The purchase is not refunded, or the refund was reversed already.",
                help: "Nothing is left to do: the customer has it.")
        }
        let path = RefundStrings.path(refund.id)
        var page = PortalConfirmation(
            "Take the refund of \(refund.productName) back?",
            [
                "The customer has the purchase again; apps and the publisher’s server hear of it.",
                "It counts as no refund any longer in sales and trends.",
                "It can’t be refunded a second time.",
            ], button: "Reverse Refund"
        ).page(form, action: "\(path)/reverse", cancel: path, in: .refunds)
        page.trail = trail + [.init("Request \(refund.id)", path)]
        return page
    }

    private static let trail = [
        PortalPage.Crumb(PortalSection.refunds.title, RefundStrings.root)
    ]

    // MARK: The page

    /// - Parameter decision: the form with the decision, where that was refused.
    private static func page(
        _ call: PortalCall, decision: PortalForm? = nil
    ) async throws -> PortalPage {
        let refund = try await call.refundCase()
        let decides = call.actor.allows(.decideRefunds)
        var page = PortalPage(
            refund.productName,
            [
                // Somebody else may have decided meanwhile.
                refund.state == .waiting ? .nothing : decision?.notices ?? .nothing,
                facts(refund), customer(refund), statement(refund), outcome(refund),
                decides && refund.state == .waiting
                    ? form(refund, decision ?? PortalForm(call)) : .nothing,
            ], in: .refunds)
        page.kind = "Request for a refund"
        page.badge = RefundStrings.badge(refund).html
        page.trail = trail
        if decides, refund.state == .refunded {
            page.actions = [
                .buttonLink("\(RefundStrings.path(refund.id))/reverse", "Reverse Refund…")
            ]
        }
        return page
    }

    private static func facts(_ refund: RefundCase) -> HTML {
        let details = refund.entry.details
        let facts: [(name: String, value: HTML)?] = [
            (
                "Product",
                .group([
                    .element("code", details.productID.text),
                    .text(details.quantity == 1 ? "" : " × \(details.quantity)"),
                ])
            ),
            ("App", .foreign(refund.app.name)),
            ("Price", .text(PortalFormatting.money(details.charged))),
            (
                "Storefront",
                .text(
                    details.storefront.name
                        + (details.environment == .sandbox ? ", sandbox" : ""))
            ),
            ("Bought", PortalFormatting.time(details.date)),
            ("Asked", PortalFormatting.time(refund.date)),
            ("Reason", .text(refund.reason.title)),
            ("Transaction", .element("code", refund.entry.id.description)),
            refund.state == .waiting
                ? (
                    "Decided",
                    .group([
                        .text("by "), PortalFormatting.time(refund.deadline),
                        .text(" at the latest"),
                    ])
                ) : nil,
        ]
        return PortalFacts(facts.compactMap(\.self)).html
    }

    private static func customer(_ refund: RefundCase) -> HTML {
        guard let customer = refund.customer else { return .nothing }
        return PortalPanel(
            "Customer",
            [.element("p", [], [.foreign(customer.email)])]
                + (customer.comment.isEmpty
                    ? [.element("p", class: "quiet", "Wrote nothing.")]
                    : customer.comment.split(scalar: "\n").map {
                        .element("p", [], [.foreign(String($0))])
                    })
        ).html
    }

    private static func statement(_ refund: RefundCase) -> HTML {
        let words: HTML
        if let information = refund.information {
            words =
                information.customerConsented
                ? PortalFacts([
                    (
                        "Used",
                        .text(
                            information.consumed.map(RefundStrings.percent) ?? "It does not say")
                    ),
                    ("Delivered", .text(information.wasDelivered ? "Yes" : "No")),
                    ("Sample before", .text(information.sampleProvided ? "Yes" : "No")),
                    ("Wish", .text(RefundStrings.preference(information.preference))),
                ]).html
                : .element(
                    "p", class: "quiet",
                    "The customer did not consent to sharing this, so the store ignores it.")
        } else {
            words = .element(
                "p", class: "quiet",
                refund.state == .waiting
                    ? "Nothing yet. It is asked with the notification CONSUMPTION_REQUEST, and "
                        + "answers with Send Consumption Information."
                    : "It said nothing in time.")
        }
        return PortalPanel("What the publisher’s server says", [words]).html
    }

    private static func outcome(_ refund: RefundCase) -> HTML {
        guard let decision = refund.decision else { return .nothing }
        var facts: [(name: String, value: HTML)] = [
            ("Decided", PortalFormatting.time(decision.date)),
            ("Grounds", .foreign(decision.grounds)),
        ]
        if case .refunded(let percentage) = decision.outcome, let amount = refund.amount {
            facts.insert(
                (
                    "Given back",
                    .text(
                        PortalFormatting.money(amount)
                            + (RefundStrings.isPart(refund)
                                ? ", \(RefundStrings.percent(percentage)) of the price" : ""))
                ), at: 0)
        }
        if refund.state == .reversed {
            facts.append(("Since then", .text("Taken back: the customer has it again.")))
        }
        return PortalPanel("Decision", [PortalFacts(facts).html]).html
    }

    private static func form(_ refund: RefundCase, _ form: PortalForm) -> HTML {
        let price = PortalFormatting.money(refund.entry.details.charged)
        return PortalPanel(
            "Decide",
            [
                form.html(
                    "\(RefundStrings.path(refund.id))/decide",
                    [
                        form.radios(
                            "decision", "Decision",
                            [
                                PortalOption(
                                    "refund", "Give \(price) back",
                                    hint: "What was bought is taken away; the app and the "
                                        + "publisher’s server hear of it."),
                                PortalOption(
                                    "decline", "Decline",
                                    hint: "The customer keeps it, and may ask again."),
                            ], chosen: nil),
                        form.text(
                            "grounds", "Why", hint: "One sentence, which the customer reads.",
                            isRequired: true, limit: RefundService.groundsLength),
                        form.actions("Decide"),
                    ])
            ]
        ).html
    }
}
