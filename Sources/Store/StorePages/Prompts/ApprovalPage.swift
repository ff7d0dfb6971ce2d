import StoreCore
import StoreModel

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
    /// What all of it costs, written in the storefront's locale.
    package let total: String
    package let environment: StoreEnvironment
    package let state: State
    /// What the page's forms carry.
    package let formToken: String
    package let guardian: Guardian
    /// What was wrong with the last answer.
    package var problem: String?

    package init(
        requester: String, appName: String, product: PromptProduct, quantity: Int, total: String,
        environment: StoreEnvironment, state: State, formToken: String, guardian: Guardian,
        problem: String? = nil
    ) {
        self.requester = requester
        self.appName = appName
        self.product = product
        self.quantity = quantity
        self.total = total
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
        return switch state {
        case .pending:
            layout.card(
                title: "Permission to Buy", appName: appName, environment: environment, question)
        case .approved:
            result("✓", "Approved", "The purchase goes on. You can close this page.")
        case .declined:
            result("✕", "Declined", "Nothing was bought. You can close this page.")
        case .lapsed:
            result(
                "⌛", "Too Late",
                "Nobody decided within a day. Nothing was bought; it can be asked for again.")
        case .exhausted:
            result(
                "!", "Too Many Attempts",
                "The password was wrong too often. Nothing was bought, and this page takes no more "
                    + "passwords. After a day it can be asked for again.")
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
            ProductPieces.facts([
                ("Asked by", .foreign(requester)), ("Charged", .foreign(total)),
            ]),
            ProductPieces.renewal(of: product, price: total),
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                proof + [
                    PageForm.actions([
                        PageForm.button("Approve", answer: .yes, style: "primary"),
                        PageForm.button("Decline", answer: .no),
                    ]), known,
                ]),
            warning,
        ]
    }

    private var proof: [HTML] {
        guard case .toProve(let account) = guardian else { return [] }
        return PageForm.password(of: account, isFocused: true)
    }

    private var known: HTML {
        guard case .known(let account) = guardian else { return .nothing }
        return PageForm.known(account)
    }

    private var warning: HTML {
        guard guardian == .anyone else { return .nothing }
        return .element(
            "p", class: "note",
            "Nobody is named who decides for this account, so whoever has the address of this "
                + "page can.")
    }
}
