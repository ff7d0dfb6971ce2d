import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// Asking for the money back.
struct RefundPages: Sendable {
    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }
    private var component: AccountComponent { AccountComponent(frame: frame) }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    /// What was typed.
    private struct Draft {
        var reason: RefundReason?
        var comment = ""
    }

    func show() async throws -> HTTPResponse {
        let account = try await visit.customer()
        return try await page(try await order(of: account), account, Draft())
    }

    func answer() async throws -> HTTPResponse {
        let form = try visit.form()
        let account = try await visit.customer()
        guard form[PageForm.answerField] == "ask" else { throw StorefrontProblem.notUnderstood }
        let order = try await order(of: account)
        let draft = Draft(
            reason: RefundReason(rawValue: form["reason"]),
            comment: form["comment"])
        guard let reason = draft.reason else {
            return try await page(
                order, account, draft, status: 422, problem: "Choose a reason.")
        }
        switch try await services.customers.refunds.ask(
            order.record.id, of: account.id, reason: reason, comment: draft.comment)
        {
        case .success:
            return .storefrontRedirect(to: frame.path(OrderComponents.path(order.id)))
        case .failure(.notFound): throw StorefrontProblem.unknown
        case .failure(let refusal):
            return try await page(
                order, account, draft, status: 422, problem: refusal.description)
        }
    }

    private func order(of account: Account) async throws -> CustomerOrder {
        guard
            let order = try await services.customers.orders.order(
                try visit.order(), of: account)
        else { throw StorefrontProblem.unknown }
        return order
    }

    // MARK: The page

    private func page(
        _ order: CustomerOrder, _ account: Account, _ draft: Draft, status: Int = 200,
        problem: String? = nil
    ) async throws -> HTTPResponse {
        let icons = try await visit.icons(of: [order.record.entry.details.app], for: account)
        return try visit.personal(account, status: status) { token in
            StorefrontPage(
                "Request a Refund",
                [
                    .element(
                        "section", class: "card wide",
                        [
                            .element("h1", "Request a refund"),
                            OrderComponents(frame: frame, icons: icons).summary(order),
                            PageForm.problem(problem),
                            order.refusal.map { refusal in
                                problem == nil
                                    ? .element("p", class: "note", refusal.description) : .nothing
                            } ?? form(draft, token),
                            component.back(to: OrderComponents.path(order.id), "Back to the order"),
                        ])
                ])
        }
    }

    private func form(_ draft: Draft, _ token: String) -> HTML {
        let time = frame.environment == .sandbox ? "two minutes" : "twelve hours"
        return PageForm.form(
            token: token,
            [
                .element(
                    "fieldset", class: "options",
                    [.element("legend", "Why do you want your money back?")]
                        + RefundReason.allCases.map { option($0, isChosen: $0 == draft.reason) }),
                .element(
                    "div", class: "field",
                    [
                        .element(
                            "label", [.init("for", "comment")], "What happened? (optional)"),
                        .element(
                            "textarea",
                            [
                                .init("id", "comment"), .init("name", "comment"),
                                .init("rows", "4"),
                                .init("maxlength", String(RefundRules.commentLimit)),
                                .init("aria-describedby", "comment-hint"),
                            ], "\n" + draft.comment),
                        .element(
                            "p", [.init("class", "hint"), .init("id", "comment-hint")],
                            "The store’s staff reads it, the publisher does not."),
                    ]),
                .element(
                    "p", class: "about",
                    "The publisher has \(time) to say how it was used; then the store decides. If "
                        + "you get your money back, you have it no longer."),
                .element(
                    "div", class: "actions",
                    [OfferPages.button("Request Refund", "ask", "primary")]),
            ])
    }

    private func option(_ reason: RefundReason, isChosen: Bool) -> HTML {
        .element(
            "label", class: "option",
            [
                .element(
                    "input",
                    [
                        .init("type", "radio"), .init("name", "reason"),
                        .init("value", reason.rawValue), .init("required"),
                    ] + (isChosen ? [.init("checked")] : [])),
                .element("span", reason.title),
            ])
    }
}
