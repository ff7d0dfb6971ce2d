import Foundation
import StoreCore
import StoreModel

/// What was given back of a purchase, and what became of a request for a refund, step by step; nothing
/// where there is neither.
struct RefundStepList {
    private struct Step {
        let style: StaticString
        let title: String
        var date: Date?
        var content: [HTML] = []
    }

    private let order: CustomerOrder
    private let frame: StorefrontFrame

    init(_ order: CustomerOrder, _ frame: StorefrontFrame) {
        self.order = order
        self.frame = frame
    }

    var html: HTML {
        var steps: [Step] = []
        if let refund = order.record.facts.upgradeRefund, let amount = order.upgradeRefund {
            steps.append(given(amount, forTimeLeftOn: refund.date))
        }
        guard let request = order.request else {
            // Taken back without being asked: by the operator, or a tester's publisher.
            if let revocation = order.record.facts.revocation, let amount = order.refunded {
                steps.append(given(amount, revocation.date, ""))
            }
            return steps.isEmpty ? .nothing : list(steps)
        }
        steps.append(
            Step(
                style: "step", title: "You asked for a refund", date: request.date,
                content: [.element("p", request.reason.title + ".")]
                    + (request.comment.isEmpty
                        ? []
                        : [.element("blockquote", class: "text", [.foreign(request.comment)])])))
        switch (order.outcome, request.decision) {
        case (.declined?, let decision?):
            steps.append(
                Step(
                    style: "step bad", title: "Declined", date: decision.date,
                    content: [.element("p", [], [.foreign(decision.grounds)])]))
            // Given back all the same, without being asked again.
            if let revocation = order.record.facts.revocation, let amount = order.refunded {
                steps.append(given(amount, revocation.date, ""))
            }
        case (.waiting?, _) where order.record.facts.revocation != nil:
            let date = order.record.facts.revocation?.date ?? request.date
            steps.append(given(order.refunded ?? zero, date, ""))
        case (.refunded?, let decision?):
            steps.append(
                given(order.refunded ?? zero, decision.date, decision.grounds))
        case (.reversed?, let decision?):
            steps.append(
                Step(
                    style: "step", title: "Refunded", date: decision.date,
                    content: [.element("p", [], [.foreign(decision.grounds)])]))
            steps.append(
                Step(
                    style: "step good", title: "The refund was taken back",
                    content: [.element("p", "You have it again.")]))
        default:
            steps.append(
                Step(
                    style: "step now", title: "The store decides",
                    content: [
                        .element(
                            "p", [],
                            [
                                .text(
                                    "The publisher is asked how it was used. You have an answer "
                                        + "here by "),
                                PortalFormatting.time(request.deadline), .text(" at the latest."),
                            ])
                    ]))
        }
        return list(steps)
    }

    private var zero: Money {
        Money(thousandths: 0, currency: order.record.entry.details.charged.currency)
    }

    private func given(_ amount: Money, forTimeLeftOn date: Date) -> Step {
        let words = StorefrontFormatting.price(amount, in: order.record.entry.details.storefront)
        return Step(
            style: "step good", title: "\(words) given back", date: date,
            content: [
                .element(
                    "p", class: "quiet",
                    "You changed to another product before this period was over. That is for the "
                        + "time that was left.")
            ])
    }

    private func given(_ amount: Money, _ date: Date, _ grounds: String) -> Step {
        let details = order.record.entry.details
        let isPart = amount.thousandths < details.charged.thousandths
        let words = StorefrontFormatting.price(amount, in: details.storefront)
        return Step(
            style: "step good",
            title: amount.thousandths == 0 ? "Taken back" : "\(words) given back", date: date,
            content: [
                grounds.isEmpty ? .nothing : .element("p", [], [.foreign(grounds)]),
                .element(
                    "p", class: "quiet",
                    (isPart && amount.thousandths > 0
                        ? order.upgradeRefund == nil
                            ? "That is for the part that was not used. " : "That is the rest. "
                        : "")
                        + "You have it no longer."),
            ])
    }

    private func list(_ steps: [Step]) -> HTML {
        .group([
            .element("h2", "Refund"),
            .element(
                "ol", class: "steps",
                steps.map { step in
                    .element(
                        "li", class: step.style,
                        [
                            .element("p", class: "name", step.title),
                            step.date.map {
                                .element("p", class: "by", [PortalFormatting.time($0)])
                            }
                                ?? .nothing,
                        ] + step.content)
                }),
        ])
    }
}
