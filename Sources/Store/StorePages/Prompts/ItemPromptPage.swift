import StoreCore
import StoreModel

/// The page of an item that an app shows: values in, HTML out.
///
/// It is the item's page without links that lead away, so that the customer finds back to the
/// app: what gets the item, and a button that says they are done.
package struct ItemPromptPage: Sendable {
    /// The field with the price that the page shows.
    static let priceField = "price"

    package enum Standing: Sendable {
        /// The customer may buy it.
        case offered(ItemPageBody)
        /// Somebody else approves what the customer buys, which can't be asked for here.
        case restricted(ItemPageBody)
        /// The customer has it.
        case owned(ItemPageBody)
        /// The storefront does not sell it, or no longer.
        case unavailable
    }

    package let question: PromptQuestion
    package let frame: StorefrontFrame
    package let standing: Standing
    /// The address of the account that this browser has signed in to; nil where the password is
    /// to be typed.
    package let customer: String?
    package let formToken: String
    /// What was wrong with the last answer.
    package let problem: String?
    /// The address as it was typed, so that it need not be typed again.
    package let typedEmail: String
    /// Whether the problem is that a tester would become a customer.
    package let asksToConvert: Bool

    package init(
        question: PromptQuestion, frame: StorefrontFrame, standing: Standing, customer: String?,
        formToken: String, problem: String? = nil, typedEmail: String = "",
        asksToConvert: Bool = false
    ) {
        self.question = question
        self.frame = frame
        self.standing = standing
        self.customer = customer
        self.formToken = formToken
        self.problem = problem
        self.typedEmail = typedEmail
        self.asksToConvert = asksToConvert
    }

    package var html: HTML {
        StorefrontLayout(frame).focused(page, script: frame.assets.presenceScript)
    }

    private var page: StorefrontPage {
        switch standing {
        case .offered(let body):
            StorefrontPage(body.item.text.title, [top, body.html(offer: offer(of: body.item))])
        case .restricted(let body):
            StorefrontPage(body.item.text.title, [top, body.html(offer: restriction)])
        case .owned(let body):
            StorefrontPage(
                body.item.text.title,
                [
                    top,
                    body.html(offer: owned(body)) { id in
                        OfferPiece(frame: frame).owned(id, isLarge: false)
                    },
                ])
        case .unavailable:
            StorefrontPage(
                "Not Available",
                [
                    top,
                    .element(
                        "section", class: "message",
                        [
                            .element("h1", "Not Available"),
                            .element(
                                "p", class: "lead",
                                "This is not sold in \(frame.storefront.nameInSentence), where "
                                    + "your account is, or not any longer."),
                            PageForm.problem(problem),
                        ]),
                ])
        }
    }

    /// Who shows it, and what ends the page; stays in sight on long ones.
    private var top: HTML {
        .element(
            "div", class: "done",
            [
                .element("p", class: "from", [.text("Shown by "), .foreign(question.appName)]),
                PageForm.form(
                    token: formToken,
                    [PageForm.button("Done", answer: .done, style: "plain", isFree: true)]),
            ])
    }

    private func owned(_ body: ItemPageBody) -> HTML {
        let isHere = body.downloads.contains(body.item.id)
        let sentence =
            body.downloads.isEmpty
            ? StoreWords.nothingToDownload(body.item.kind)
            : "Download its parts one by one below."
        return .group([
            isHere
                ? OfferPiece(frame: frame).owned(body.item.id, isLarge: true)
                : .element("p", class: "note", "It is yours. \(sentence)"),
            PageForm.problem(problem), known,
        ])
    }

    private var restriction: HTML {
        .group([
            .element(
                "p", class: "note",
                [
                    .text("Ask to Buy: somebody else approves what "),
                    .foreign(customer ?? question.account ?? "this account"),
                    .text(
                        " buys, and that can’t be asked for here. You can look at this, and "
                            + "whoever approves can get it with an account of their own."),
                ]), known,
        ])
    }

    private func offer(of item: StorefrontItem) -> HTML {
        guard let price = item.price else { return PageForm.problem(problem) }
        if let obstacle = item.obstacle {
            return .group([.element("p", class: "note", obstacle.sentence), known])
        }
        let title =
            price.thousandths == 0
            ? "Get" : "Buy for \(StoreWords.price(price, in: item.storefront))"
        let buy = PageForm.button(title, answer: .buy, style: "primary")
        let signIn = PageForm.button(
            PageForm.signInTitle(asksToConvert), answer: .signIn, style: "plain")
        return .group([
            PageForm.problem(problem),
            PageForm.form(
                token: formToken,
                proof + [
                    PageForm.conversion(asksToConvert), self.price(price),
                    PageForm.actions(customer == nil ? [buy, signIn] : [buy]),
                ]), known,
        ])
    }

    private func price(_ price: Money) -> HTML {
        .element(
            "input",
            [
                .init("type", "hidden"), .init("name", Self.priceField),
                .init("value", "\(price.thousandths) \(price.currency)"),
            ])
    }

    /// The price in the field; nil for anything that this page has not put there.
    static func price(_ field: String) -> Money? {
        let parts = field.split(scalar: " ")
        guard parts.count == 2, let amount = Int64(parts[0]), amount >= 0,
            parts[1].utf8.count == 3
        else { return nil }
        return Money(thousandths: amount, currency: String(parts[1]))
    }

    /// What shows who buys, where this browser has not signed in.
    private var proof: [HTML] {
        guard customer == nil else { return [] }
        if let account = question.account {
            return PageForm.password(of: account, isFocused: problem != nil)
        }
        return [
            PageForm.field(
                "email", label: "Email",
                [
                    .init("type", "text"), .init("value", typedEmail), .init("required"),
                    .init("maxlength", "254"),
                ] + PortalForm.address)
        ] + PageForm.password(of: nil, isFocused: !typedEmail.isEmpty)
    }

    /// Whose browser it is, in a form of its own: the Return key buys.
    private var known: HTML {
        guard let customer else { return .nothing }
        return PageForm.form(token: formToken, [PageForm.known(customer)])
    }
}
