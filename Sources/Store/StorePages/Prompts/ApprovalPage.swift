import StoreCore
import StoreModel
import StoreTexts

/// The page of a guardian, who decides about a purchase of somebody else (Ask to Buy):
/// values in, HTML out.
package struct ApprovalPage: Sendable {
    package enum State: Sendable, Hashable, CaseIterable {
        case pending
        case approved
        case declined
        /// Nobody has decided in time.
        case lapsed
        /// The password was wrong too often.
        case exhausted

        /// The status of the answer: it is there, or gone.
        var status: Int {
            switch self {
            case .pending, .approved, .declined: 200
            case .lapsed, .exhausted: 410
            }
        }
    }

    /// Who decides, by the address of the account.
    package enum Guardian: Sendable, Hashable {
        /// Nobody is named: whoever has the page's address.
        case anyone
        /// This browser has shown the password before.
        case known(String)
        /// The password is to be typed.
        case toProve(String)
    }

    /// Who wants to buy: the address of the account.
    package let requester: String
    package let appName: String
    package let product: PromptProduct
    package let quantity: Int
    /// What all of it costs, as the page's language writes it.
    package let total: String
    /// What is charged otherwise at first; nil for nothing.
    package let notice: String?
    package let environment: StoreEnvironment
    package let state: State
    /// What the page's forms carry.
    package let formToken: String
    package let guardian: Guardian
    /// What was wrong with the last answer.
    package var problem: String?

    package init(
        requester: String, appName: String, product: PromptProduct, quantity: Int, total: String,
        notice: String? = nil, environment: StoreEnvironment, state: State, formToken: String,
        guardian: Guardian,
        problem: String? = nil
    ) {
        self.requester = requester
        self.appName = appName
        self.product = product
        self.quantity = quantity
        self.total = total
        self.notice = notice
        self.environment = environment
        self.state = state
        self.formToken = formToken
        self.guardian = guardian
        self.problem = problem
    }

    package func html(in layout: PageLayout) -> HTML {
        func result(_ sign: String, _ title: String, _ text: String) -> HTML {
            layout.result(
                sign: sign, title: title, text: text, appName: appName, environment: environment)
        }
        let texts = layout.texts
        return switch state {
        case .pending:
            layout.card(
                title: texts.permissionToBuy, appName: appName, environment: environment,
                question(texts))
        case .approved: result("✓", texts.approved, texts.purchaseGoesOn)
        case .declined: result("✕", texts.declined, texts.nothingBoughtClose)
        case .lapsed: result("⌛", texts.tooLate, texts.nobodyDecided)
        case .exhausted: result("!", texts.tooManyAttempts, texts.attemptsGuardian)
        }
    }

    private func lead(_ texts: Texts) -> HTML {
        let title = HTML.foreign(product.title, locale: product.locale)
        if quantity == 1 {
            return texts.wantsToBuy(
                requester: .foreign(requester), product: title, app: .foreign(appName))
        }
        return texts.wantsToBuySeveral(
            requester: .foreign(requester), quantity: .text(texts.number(quantity)),
            product: title, app: .foreign(appName))
    }

    private func question(_ texts: Texts) -> [HTML] {
        [
            .element("h1", texts.permissionToBuy),
            .element("p", class: "lead", [lead(texts)]),
            ProductComponents.item(product, quantity: quantity, price: total, in: texts),
            ProductComponents.facts([
                (texts.askedBy, .foreign(requester)), (texts.charged, .foreign(total)),
            ]),
            ProductComponents.renewal(of: product, price: total, in: texts),
            notice.map { .element("p", class: "note", $0) } ?? .nothing,
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                proof(texts) + [
                    PageForm.actions([
                        PageForm.button(texts.approve, answer: .yes, style: "primary"),
                        PageForm.button(texts.refuse, answer: .no),
                    ]), known(texts),
                ]),
            warning(texts),
        ]
    }

    private func proof(_ texts: Texts) -> [HTML] {
        guard case .toProve(let account) = guardian else { return [] }
        return PageForm.password(of: account, isFocused: true, in: texts)
    }

    private func known(_ texts: Texts) -> HTML {
        guard case .known(let account) = guardian else { return .nothing }
        return PageForm.known(account, in: texts)
    }

    private func warning(_ texts: Texts) -> HTML {
        guard guardian == .anyone else { return .nothing }
        return .element("p", class: "note", texts.anyoneCanDecide)
    }
}
