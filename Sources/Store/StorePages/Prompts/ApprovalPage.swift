import StoreCore
import StoreModel

/// The page of a guardian, who decides about a purchase of somebody else (Ask to Buy):
/// values in, HTML out.
package struct ApprovalPage: Sendable {
    package enum State: Sendable, Hashable {
        case pending
        case approved
        case declined
    }

    /// Who wants to buy: the address of the account.
    package let requester: String
    package let appName: String
    package let product: PromptProduct
    package let quantity: Int
    /// What all of it costs, written in the storefront's locale.
    package let total: String
    package let environment: StoreEnvironment
    package let state: State
    /// What the page's forms carry.
    package let formToken: String
    /// The account that decides, where its password is to be typed; nil where this browser
    /// has shown it before.
    package var guardianToProve: String?
    /// What was wrong with the last answer.
    package var problem: String?

    package init(
        requester: String, appName: String, product: PromptProduct, quantity: Int, total: String,
        environment: StoreEnvironment, state: State, formToken: String,
        guardianToProve: String? = nil, problem: String? = nil
    ) {
        self.requester = requester
        self.appName = appName
        self.product = product
        self.quantity = quantity
        self.total = total
        self.environment = environment
        self.state = state
        self.formToken = formToken
        self.guardianToProve = guardianToProve
        self.problem = problem
    }

    package func html(in layout: PageLayout) -> HTML {
        switch state {
        case .pending:
            layout.card(
                title: "Permission to Buy", appName: appName, environment: environment, question)
        case .approved:
            layout.result(
                sign: "✓", title: "Approved",
                text: "The purchase goes on. You can close this page.",
                appName: appName, environment: environment)
        case .declined:
            layout.result(
                sign: "✕", title: "Declined", text: "Nothing was bought. You can close this page.",
                appName: appName, environment: environment)
        }
    }

    private var question: [HTML] {
        [
            .element("h1", "Permission to Buy"),
            .element(
                "p", class: "lead",
                [
                    .foreign(requester), .text(" wants to buy "),
                    .text(quantity == 1 ? "“" : "\(quantity) × “"),
                    .foreign(product.title, locale: product.locale), .text("” in "),
                    .foreign(appName), .text(". Do you allow it?"),
                ]),
            ProductPieces.item(product, quantity: quantity, price: total),
            ProductPieces.facts([("Asked by", requester), ("Charged", total)]),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                (guardianToProve.map { PageForm.password(of: $0, isFocused: true) } ?? []) + [
                    PageForm.actions([
                        PageForm.button("Approve", answer: .yes, style: "primary"),
                        PageForm.button("Decline", answer: .no),
                    ])
                ]),
        ]
    }
}
