import StoreCore
import StoreModel
import StoreTexts

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
        let title = title(layout.texts)
        return layout.card(
            title: title, appName: question.appName, environment: question.environment,
            [.element("h1", title)] + content(layout.texts))
    }

    private func title(_ texts: Texts) -> String {
        switch question.subject {
        case .signIn: texts.signIn
        case .purchase(_, _, _, needsApproval: true): texts.askPermission
        case .purchase(let product, _, _, _):
            product.renewal == nil ? texts.confirmPurchase : texts.confirmSubscription
        case .redemption: texts.redeemCode
        case .consent: texts.priceIncrease
        // Has a page of its own.
        case .item: ""
        }
    }

    private func content(_ texts: Texts) -> [HTML] {
        func price(_ money: Money) -> String {
            texts.price(money, in: question.storefront.locale)
        }
        return switch question.subject {
        case .signIn: signIn(texts)
        case .purchase(let product, let quantity, let total, let needsApproval):
            purchase(product, quantity, price(total), needsApproval, texts)
        case .redemption: redemption(texts)
        case .consent(let product, let current, let new):
            consent(product, price(current), price(new), texts)
        case .item: []
        }
    }

    private func signIn(_ texts: Texts) -> [HTML] {
        [
            lead(texts.wantsToSignIn(app: .foreign(question.appName))),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                [
                    PageForm.field(
                        "email", label: texts.email,
                        [
                            .init("type", "text"), .init("value", typedEmail), .init("required"),
                        ] + PortalForm.address + (typedEmail.isEmpty ? [.init("autofocus")] : []))
                ] + PageForm.password(of: nil, isFocused: !typedEmail.isEmpty, in: texts) + [
                    PageForm.conversion(asksToConvert),
                    PageForm.actions([
                        PageForm.button(
                            PageForm.signInTitle(asksToConvert, in: texts), answer: .signIn,
                            style: "primary"),
                        PageForm.button(texts.cancel, answer: .no, isFree: true),
                    ]),
                ]),
            .element("p", class: "note", texts.onlyIfYouOpened),
        ]
    }

    private func purchase(
        _ product: PromptProduct, _ quantity: Int, _ total: String, _ needsApproval: Bool,
        _ texts: Texts
    ) -> [HTML] {
        let renewal = product.renewal
        let yes = renewal == nil ? texts.buy : texts.subscribe
        return [
            lead(
                texts.question(
                    quantity: quantity, product: .foreign(product.title, locale: product.locale),
                    price: .foreign(texts.price(total, every: renewal)),
                    isSubscription: renewal != nil, asks: needsApproval)),
            ProductComponents.item(product, quantity: quantity, price: total, in: texts),
            ProductComponents.renewal(of: product, price: total, in: texts),
            ProductComponents.charge(for: product, in: question.storefront, texts),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                proof(texts) + [
                    PageForm.actions([
                        PageForm.button(
                            needsApproval ? texts.ask : yes, answer: .yes, style: "primary"),
                        PageForm.button(texts.cancel, answer: .no, isFree: true),
                    ]), known(texts),
                ]),
        ]
    }

    private func redemption(_ texts: Texts) -> [HTML] {
        [
            lead(texts.enterCodeFor(app: .foreign(question.appName))),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                [
                    PageForm.field(
                        "code", label: texts.code,
                        [
                            .init("type", "text"), .init("class", "code"), .init("required"),
                            .init("autocomplete", "off"), .init("spellcheck", "false"),
                            .init("autocapitalize", "characters"), .init("autofocus"),
                            .init("maxlength", String(PromptRules.codeLimit)),
                        ])
                ] + proof(texts) + [
                    PageForm.actions([
                        PageForm.button(texts.redeem, answer: .redeem, style: "primary"),
                        PageForm.button(texts.cancel, answer: .no, isFree: true),
                    ]), known(texts),
                ]),
        ]
    }

    private func consent(
        _ product: PromptProduct, _ current: String, _ new: String, _ texts: Texts
    ) -> [HTML] {
        func price(_ style: StaticString, _ name: String, _ value: String) -> HTML {
            .element(
                "div", class: style,
                [.element("dt", name), .element("dd", [], [.foreign(value)])])
        }
        return [
            lead(
                texts.priceRisesAsk(product: .foreign(product.title, locale: product.locale))),
            .element(
                "dl", class: "prices",
                [
                    price("current", texts.now, current),
                    .element("div", [.init("class", "arrow"), .init("aria-hidden", "true")], "→"),
                    price("new", texts.newPrice, new),
                ]),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                proof(texts) + [
                    PageForm.actions([
                        PageForm.button(texts.agree, answer: .yes, style: "primary"),
                        PageForm.button(texts.decline, answer: .no),
                        PageForm.button(texts.decideLater, answer: .later, isFree: true),
                    ]), known(texts),
                ]),
        ]
    }

    private func lead(_ content: HTML) -> HTML { .element("p", class: "lead", [content]) }

    /// What shows that the account itself answers, where this browser has not yet.
    private func proof(_ texts: Texts) -> [HTML] {
        guard !isProven, let account = question.account else { return [] }
        return PageForm.password(of: account, isFocused: question.subject != .redemption, in: texts)
    }

    /// Whose question it is, where that needs no proof.
    private func known(_ texts: Texts) -> HTML {
        guard isProven, let account = question.account else { return .nothing }
        return PageForm.known(account, in: texts)
    }
}
