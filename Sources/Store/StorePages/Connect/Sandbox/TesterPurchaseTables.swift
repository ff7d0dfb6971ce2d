import Foundation
import StoreCore
import StoreModel

/// What a tester bought or wanted to buy, with the buttons that belong to it.
struct TesterPurchaseTables {
    let tester: Tester
    let form: PortalForm
    /// Whether anything can still be done.
    let isActive: Bool

    private var path: String { TesterStrings.path(tester.account) }

    func waiting(_ waiting: [PendingPurchase]) -> HTML {
        PortalPanel(
            "Waiting for you",
            [
                PortalTable(
                    "Purchases that wait",
                    columns: [
                        .init("Product"), .init("Price", isNumber: true), .init("Since"),
                        .init("Why"), .init("Decide"),
                    ],
                    rows: waiting.map { purchase in
                        [
                            product(purchase.order.productID, purchase.order.quantity),
                            money(purchase.order.charged),
                            PortalFormatting.time(purchase.order.date),
                            .text(purchase.kind == .approval ? "Ask to Buy" : "Interrupted"),
                            isActive ? decisions(purchase) : .nothing,
                        ]
                    }, none: ("Nothing waits", "")
                ).html()
            ]
        ).html
    }

    private func decisions(_ purchase: PendingPurchase) -> HTML {
        let name = unseen(purchase.order.productID)
        return .element(
            "div", class: "actions",
            [
                form.button(
                    purchase.kind == .approval ? "Approve" : "Let Through", to: "\(path)/decide",
                    [("purchase", purchase.id.description), ("decision", "approved")],
                    look: .primary),
                form.button(
                    "Decline", to: "\(path)/decide",
                    [("purchase", purchase.id.description), ("decision", "declined")]), name,
            ])
    }

    func purchases(_ purchases: [TesterPurchase]) -> HTML {
        PortalPanel(
            "Purchases",
            [
                PortalTable(
                    "Purchases",
                    columns: [
                        .init("Product"), .init("Price", isNumber: true), .init("Bought"),
                        .init("State"), .init("Refund"),
                    ],
                    rows: purchases.map { purchase in
                        let details = purchase.entry.details
                        return [
                            .group([
                                product(details.productID, details.quantity),
                                .element(
                                    "span", class: "quiet under",
                                    "\(details.bundleID), transaction \(purchase.entry.id)"),
                            ]),
                            money(details.charged), PortalFormatting.time(details.date),
                            badge(purchase).html, refund(purchase),
                        ]
                    },
                    none: (
                        "Nothing bought yet",
                        "What the tester buys in your apps stands here a moment later."
                    )
                ).html()
            ]
        ).html
    }

    private func refund(_ purchase: TesterPurchase) -> HTML {
        guard isActive, purchase.isRefundable else { return .text("—") }
        return form.button(
            "Refund", to: "\(path)/refund", [("transaction", purchase.entry.id.description)],
            question: "Refund \(purchase.entry.details.productID)? The app will take it away.")
    }

    private func badge(_ purchase: TesterPurchase) -> PortalBadge {
        if purchase.isCleared { return PortalBadge("Cleared", .plain) }
        if purchase.revocationDate != nil { return .refunded }
        return purchase.finishDate == nil
            ? PortalBadge("Unfinished", .busy) : PortalBadge("Finished", .good)
    }

    func declined(_ declined: [DeclinedPayment]) -> HTML {
        PortalPanel(
            "Declined payments",
            [
                PortalTable(
                    "Declined payments",
                    columns: [
                        .init("Product"), .init("Price", isNumber: true), .init("Tried"),
                    ],
                    rows: declined.map { payment in
                        [
                            product(payment.productID, payment.quantity),
                            money(
                                payment.unitPrice.multiplied(by: payment.quantity)
                                    ?? payment.unitPrice),
                            PortalFormatting.time(payment.date),
                        ]
                    }, none: ("No payment was declined", "")
                ).html()
            ]
        ).html
    }

    private func product(_ id: ProductID, _ quantity: Int) -> HTML {
        .group([
            .element("code", id.text), quantity == 1 ? .nothing : .text(" × \(quantity)"),
        ])
    }

    private func money(_ money: Money) -> HTML {
        .text(money.thousandths == 0 ? "Free" : PortalFormatting.money(money))
    }

    /// What a row's buttons are about, for those who hear them out of it.
    private func unseen(_ product: ProductID) -> HTML {
        .element("span", class: "unseen", product.text)
    }
}
