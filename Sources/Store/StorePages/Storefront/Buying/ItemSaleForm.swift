import StoreCore
import StoreModel

/// The form that gets an item: on the page of the sale, and on the page that an app shows.
struct ItemSaleForm {
    /// What buttons elsewhere on the page name it by.
    static let id = "sale"
    /// The field with the price that the customer sees.
    static let priceField = "price"
    /// The field of a button that gets a part of the item: its number, and its price.
    static let partField = "part"

    /// How the item stands with who looks at it, and has not got it.
    enum Status: Sendable, Hashable {
        case offered(Money)
        /// Something keeps it from being sold.
        case held(ItemSaleObstacle)
        /// Somebody else approves what the customer buys, which can't be asked for on pages.
        case restricted
        /// It is not sold by itself.
        case shown
    }

    let status: Status
    let frame: StorefrontFrame
    /// The address of the account that the browser has signed in to; nil for none.
    let customer: String?
    /// The only account that the page is for; nil for any.
    let account: String?
    /// What was wrong with the last answer.
    let problem: FormProblem?

    /// - Parameter token: what the forms of the page carry.
    func html(token: String) -> HTML {
        let known = Self.known(customer, token: token, in: frame)
        return switch status {
        case .offered(let price): .group([said, offer(price, token), known])
        case .held(let obstacle):
            .group([
                said, .element("p", class: "note", frame.texts.sentence(of: obstacle)), signIn,
                known,
            ])
        case .restricted: .group([said, restriction, known])
        case .shown: .group([said, signIn, known])
        }
    }

    private var said: HTML { PageForm.problem(problem?.text) }

    private func offer(_ price: Money, _ token: String) -> HTML {
        let converts = problem?.asksToConvert ?? false
        let texts = frame.texts
        let title =
            price.thousandths == 0
            ? texts.getItem
            : texts.buyForPrice(
                price: StorefrontFormatting.price(price, in: frame.storefront, texts))
        let buy = PageForm.button(title, answer: .buy, style: "primary")
        let signIn = PageForm.button(
            PageForm.signInTitle(converts, in: texts), answer: .signIn, style: "plain")
        return PageForm.form(
            token: token, id: Self.id, action: frame.app?.path,
            (customer == nil ? SignInComponent.fields(account, problem, texts) : []) + [
                PageForm.conversion(converts),
                PageForm.hidden(Self.priceField, Self.text(price)),
                PageForm.actions(customer == nil ? [buy, signIn] : [buy]),
            ])
    }

    /// A button that gets a part of the item with the same form; its price where there is no form.
    func part(_ part: StorefrontItem) -> HTML {
        guard let price = part.price else { return .nothing }
        let amount = StorefrontFormatting.price(price, in: frame.storefront, frame.texts)
        guard case .offered = status, part.obstacle == nil else {
            return .element("span", class: "price", amount)
        }
        return .element(
            "button",
            [
                .init("type", "submit"), .init("form", Self.id), .init("name", Self.partField),
                .init("value", "\(part.id) \(Self.text(price))"), .init("class", "offer"),
            ],
            [
                .text(price.thousandths == 0 ? frame.texts.getItem : amount),
                .element("span", class: "unseen", [.text(": "), .foreign(part.text.title)]),
            ])
    }

    private var restriction: HTML {
        .element(
            "p", class: "note",
            [frame.texts.approvalOfAccount(account: .foreign(customer ?? account ?? ""))])
    }

    /// For who has it already, and is not known yet.
    private var signIn: HTML {
        guard customer == nil, let app = frame.app else { return .nothing }
        return .element(
            "p", class: "known",
            [.element("a", [.init("href", frame.account(next: app.path))], frame.texts.signIn)])
    }

    /// Whose browser it is, in a form of its own: the Return key buys.
    static func known(_ customer: String?, token: String, in frame: StorefrontFrame) -> HTML {
        guard let customer else { return .nothing }
        return PageForm.form(
            token: token, action: frame.app?.path, [PageForm.known(customer, in: frame.texts)])
    }

    // MARK: What was sent

    static func text(_ price: Money) -> String { "\(price.thousandths) \(price.currency)" }

    /// The price in the field; nil for anything that no page of ours has put there.
    static func price(_ text: String) -> Money? {
        let parts = text.split(scalar: " ")
        guard parts.count == 2, text.utf8.count <= 24, let thousandths = Int64(parts[0]),
            thousandths >= 0, parts[1].utf8.count == 3
        else { return nil }
        return Money(thousandths: thousandths, currency: String(parts[1]))
    }

    /// What a form wants: the item of its page or a part of that, at the price that the page showed.
    ///
    /// - Returns: nil where no page of ours has put that there.
    static func order(_ form: FormFields, of item: ItemID) -> (item: ItemID, price: Money)? {
        let part = form[partField]
        guard !part.isEmpty else { return price(form[priceField]).map { (item, $0) } }
        let sides = part.split(scalar: " ", maxSplits: 1)
        guard sides.count == 2, let id = ItemID(String(sides[0])),
            let price = price(String(sides[1]))
        else { return nil }
        return (id, price)
    }
}
