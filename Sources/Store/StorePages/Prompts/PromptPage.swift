import StoreCore
import StoreModel

/// The page of a prompt that asks something: values in, HTML out. An item that an app shows has
/// a page of its own, `ItemPromptPage`.
package struct PromptPage: Sendable {
    package let question: PromptQuestion
    /// Whether this browser has signed in to the account whose question it is.
    package let isProven: Bool
    package let formToken: String
    /// What was wrong with the last answer.
    package var problem: String?
    /// The address as it was typed, so that it need not be typed again.
    package var typedEmail = ""
    /// Whether the problem is that a tester would become a customer.
    package var asksToConvert = false

    package init(question: PromptQuestion, isProven: Bool, formToken: String) {
        self.question = question
        self.isProven = isProven
        self.formToken = formToken
    }

    package func html(in layout: PageLayout) -> HTML {
        layout.card(
            title: title, appName: question.appName, environment: question.environment,
            [.element("h1", title)] + content)
    }

    private var title: String {
        switch question.subject {
        case .signIn: "Sign In"
        case .purchase(_, _, _, needsApproval: true): "Ask for Permission"
        case .purchase(let product, _, _, _):
            product.renewal == nil ? "Confirm Your In-App Purchase" : "Confirm Your Subscription"
        case .redemption: "Redeem Code"
        case .consent: "Price Increase"
        case .item: "Item"
        }
    }

    private var content: [HTML] {
        switch question.subject {
        case .signIn: signIn
        case .purchase(let product, let quantity, let total, let needsApproval):
            purchase(product, quantity, total, needsApproval)
        case .redemption: redemption
        case .consent(let product, let current, let new): consent(product, current, new)
        case .item: []
        }
    }

    private var signIn: [HTML] {
        [
            lead([
                .foreign(question.appName),
                .text(" wants to sign you in to the store. It does not see your password."),
            ]),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                [
                    PageForm.field(
                        "email", label: "Email",
                        [
                            .init("type", "text"), .init("value", typedEmail), .init("required"),
                            .init("maxlength", "254"),
                        ] + PortalForm.address + (typedEmail.isEmpty ? [.init("autofocus")] : []))
                ] + PageForm.password(of: nil, isFocused: !typedEmail.isEmpty) + [
                    PageForm.conversion(asksToConvert),
                    PageForm.actions([
                        PageForm.button(
                            PageForm.signInTitle(asksToConvert), answer: .signIn,
                            style: "primary"),
                        PageForm.button("Cancel", answer: .no, isFree: true),
                    ]),
                ]),
            .element(
                "p", class: "note",
                "Go on only if you opened this page from the app, on this computer, a moment ago. "
                    + "Whoever sent you the link would be signed in as you."),
        ]
    }

    private func purchase(
        _ product: PromptProduct, _ quantity: Int, _ total: String, _ needsApproval: Bool
    ) -> [HTML] {
        let renewal = product.renewal
        let one = renewal == nil ? "one " : ""
        let what: [HTML] = [
            .text(renewal == nil ? " to buy " : " to subscribe to "),
            .text(quantity == 1 ? one : "\(quantity) × "),
            .text("“"), .foreign(product.title, locale: product.locale), .text("” for "),
            .foreign(renewal?.price(total) ?? total), .text("?"),
        ]
        let ask = needsApproval ? "Do you want to ask for permission" : "Do you want"
        let yes = renewal == nil ? "Buy" : RenewalNotice.action
        return [
            lead([.text(ask)] + what),
            ProductPieces.item(product, quantity: quantity, price: total),
            ProductPieces.renewal(of: product, price: total),
            ProductPieces.charge(for: product),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                proof + [
                    PageForm.actions([
                        PageForm.button(
                            needsApproval ? "Ask" : yes, answer: .yes, style: "primary"),
                        PageForm.button("Cancel", answer: .no, isFree: true),
                    ]), known,
                ]),
        ]
    }

    private var redemption: [HTML] {
        [
            lead([
                .text("Enter the code that you were given for "), .foreign(question.appName),
                .text("."),
            ]),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                [
                    PageForm.field(
                        "code", label: "Code",
                        [
                            .init("type", "text"), .init("class", "code"), .init("required"),
                            .init("autocomplete", "off"), .init("spellcheck", "false"),
                            .init("autocapitalize", "characters"), .init("autofocus"),
                            .init("maxlength", String(PromptRules.codeLimit)),
                        ])
                ] + proof + [
                    PageForm.actions([
                        PageForm.button("Redeem", answer: .redeem, style: "primary"),
                        PageForm.button("Cancel", answer: .no, isFree: true),
                    ]), known,
                ]),
        ]
    }

    private func consent(_ product: PromptProduct, _ current: String, _ new: String) -> [HTML] {
        func price(_ style: StaticString, _ name: String, _ value: String) -> HTML {
            .element(
                "div", class: style,
                [.element("dt", name), .element("dd", [], [.foreign(value)])])
        }
        return [
            lead([
                .text("The price of “"), .foreign(product.title, locale: product.locale),
                .text("” rises. Do you agree to the new price?"),
            ]),
            .element(
                "dl", class: "prices",
                [
                    price("current", "Now", current),
                    .element("div", [.init("class", "arrow"), .init("aria-hidden", "true")], "→"),
                    price("new", "New price", new),
                ]),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                proof + [
                    PageForm.actions([
                        PageForm.button("Agree", answer: .yes, style: "primary"),
                        PageForm.button("Decline", answer: .no),
                        PageForm.button("Decide Later", answer: .later, isFree: true),
                    ]), known,
                ]),
        ]
    }

    private func lead(_ content: [HTML]) -> HTML { .element("p", class: "lead", content) }

    /// What shows that the account itself answers, where this browser has not yet.
    private var proof: [HTML] {
        guard !isProven, let account = question.account else { return [] }
        return PageForm.password(of: account, isFocused: question.subject != .redemption)
    }

    /// Whose question it is, where that needs no proof.
    private var known: HTML {
        guard isProven, let account = question.account else { return .nothing }
        return PageForm.known(account)
    }
}
