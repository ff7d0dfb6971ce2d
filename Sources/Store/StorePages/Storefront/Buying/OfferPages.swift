import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// Getting an item: what it costs, on whose account, and what one has of it then.
struct OfferPages: Sendable {
    /// The field with the price that the customer saw.
    static let priceField = "price"

    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    func show() async throws -> HTTPResponse {
        guard let id = visit.item else { throw StorefrontProblem.unknown }
        let account = try await visit.account()
        // An account buys in the store of its own country.
        if let account, account.storefront != frame.storefront {
            var response = HTTPResponse.storefrontRedirect(
                to: frame.moved(to: account.storefront).path("buy/\(id)"))
            visit.remember(in: &response)
            return response
        }
        var response = try await page(id, account)
        visit.remember(in: &response)
        return response
    }

    func answer() async throws -> HTTPResponse {
        guard let id = visit.item else { throw StorefrontProblem.unknown }
        let form = try visit.form()
        let here = frame.path("buy/\(id)")
        switch form[PageForm.answerField] {
        case "signIn":
            do {
                return try await visit.signIn(form, to: here)
            } catch let refusal as AccountRefusal {
                return try await page(
                    id, nil, status: 422, problem: refusal.description, email: form["email"],
                    refusal: refusal)
            }
        case "forget":
            try await visit.endSession()
            return .storefrontRedirect(to: here)
        case "yes":
            guard let account = try await visit.account(),
                account.storefront == frame.storefront
            else { return .storefrontRedirect(to: here) }
            return try await buy(id, form, account, then: here)
        default: throw StorefrontProblem.notUnderstood
        }
    }

    private func buy(
        _ id: ItemID, _ form: FormFields, _ account: Account, then here: String
    ) async throws -> HTTPResponse {
        guard let price = Self.price(form[Self.priceField]) else {
            throw StorefrontProblem.notUnderstood
        }
        do {
            _ = try await services.sales.buy(
                id, expecting: price, by: account, referral: visit.referral)
        } catch let refusal as ItemSaleRefusal {
            return try await page(id, account, status: 422, problem: sentence(refusal))
        }
        return .storefrontRedirect(to: here)
    }

    private func sentence(_ refusal: ItemSaleRefusal) -> String {
        guard case .priceChanged(let price) = refusal else { return refusal.description }
        let amount = StoreWords.price(price, in: frame.storefront)
        return "The price has changed: it is \(amount) now. Nothing was charged. Do you still "
            + "want it?"
    }

    // MARK: The page

    private func page(
        _ id: ItemID, _ account: Account?, status: Int = 200, problem: String? = nil,
        email: String = "", refusal: AccountRefusal? = nil
    ) async throws -> HTTPResponse {
        if let account, try await services.sales.owned(id, by: account.id) != nil {
            return try await owned(id, account)
        }
        guard let item = try await services.storefront.item(id, in: frame.storefront),
            let price = item.price
        else {
            throw StorefrontProblem(
                status: 404, title: "Not Sold Here",
                text:
                    "There is nothing to buy at this address in \(frame.storefront.nameInSentence)."
            )
        }
        if let obstacle = item.obstacle {
            throw StorefrontProblem(
                status: 409, title: "Not Sold at Present", text: obstacle.sentence)
        }
        return try visit.personal(account, status: status) { token in
            let amount = StoreWords.price(price, in: frame.storefront)
            let isFree = price.thousandths == 0
            var page = StorefrontPage(
                account == nil ? "Sign In" : isFree ? "Get" : "Confirm Your Purchase",
                [
                    .element(
                        "section", class: "card",
                        [
                            .element(
                                "h1",
                                account == nil
                                    ? "Sign in to get it" : isFree ? "Get it?" : "Buy it?"),
                            OrderPiece(item: item, frame: frame, price: amount).html,
                            PageForm.problem(problem),
                            account.map { confirmation($0, price, amount, token) }
                                ?? SignInPiece(token: token, email: email, refusal: refusal).html,
                            cancel(item),
                        ])
                ])
            page.returnPath = frame.path("buy/\(id)")
            return page
        }
    }

    private func confirmation(
        _ account: Account, _ price: Money, _ amount: String, _ token: String
    ) -> HTML {
        PageForm.form(
            token: token,
            [
                .element(
                    "input",
                    [
                        .init("type", "hidden"), .init("name", Self.priceField),
                        .init("value", Self.text(price)),
                    ]),
                .element(
                    "p", class: "about",
                    [
                        .text("Account: "), .foreign(account.email), .text(". "),
                        price.thousandths == 0
                            ? .nothing : .text("It is charged \(amount), once."),
                    ]),
                .element(
                    "div", class: "actions",
                    [
                        Self.button(price.thousandths == 0 ? "Get" : "Buy", "yes", "primary"),
                        Self.button("Sign out", "forget", "plain"),
                    ]),
            ])
    }

    static func button(_ title: String, _ answer: String, _ style: String) -> HTML {
        .element(
            "button",
            [
                .init("type", "submit"), .init("name", PageForm.answerField),
                .init("value", answer), .init("class", style),
            ], title)
    }

    private func cancel(_ item: StorefrontItem) -> HTML {
        .element(
            "p", class: "back",
            [
                .element(
                    "a", [.init("href", frame.links.page(of: item))],
                    [.text("Back to "), .foreign(item.text.title)])
            ])
    }

    /// What a customer sees who has it: where to download it, and what to do with it.
    private func owned(_ id: ItemID, _ account: Account) async throws -> HTTPResponse {
        let item = try await services.storefront.item(id, in: frame.storefront)
        let kept = try await services.database.read { try $0.items.item(id) }
        let title = item?.text.title ?? kept?.details.text(locale: frame.storefront.locale).title
        let download = try await services.media.download(of: id)
        let isWithheld = try await services.sales.right(to: id, of: account) == .withheld
        let parts: [StorefrontItem] =
            kept?.details.kind.isCollection == true
            ? try await services.storefront.parts(of: id, in: frame.storefront) : []
        return try visit.personal(account) { _ in
            StorefrontPage(
                "It Is Yours",
                [
                    .element(
                        "section", class: "card done",
                        [
                            .element(
                                "p", [.init("class", "sign"), .init("aria-hidden", "true")], "✓"),
                            .element("h1", "It is yours"),
                            .element(
                                "p", class: "lead",
                                [.text("You have “"), .foreign(title ?? ""), .text("”.")]),
                            item.map {
                                OrderPiece(item: $0, frame: frame, price: "").html
                            } ?? .nothing,
                            isWithheld
                                ? .element("p", class: "quiet", DownloadPages.withheld)
                                : downloads(id, kept?.details.kind, download, parts),
                            .element(
                                "p", class: "back",
                                [
                                    .element(
                                        "a", [.init("href", frame.path("review/\(id)"))],
                                        "Write a review"),
                                    item.map {
                                        .element(
                                            "a", [.init("href", frame.links.page(of: $0))],
                                            "Back to its page")
                                    } ?? .nothing,
                                ]),
                        ])
                ])
        }
    }

    private func downloads(
        _ id: ItemID, _ kind: ItemKind?, _ download: ItemMedia?, _ parts: [StorefrontItem]
    ) -> HTML {
        if let download {
            return .element(
                "p", class: "actions",
                [
                    .element(
                        "a",
                        [
                            .init("class", "button primary"),
                            .init("href", frame.path("downloads/\(id)")),
                        ], "Download (\(PortalWords.bytes(download.size)))")
                ])
        }
        guard !parts.isEmpty else {
            return .element(
                "p", class: "quiet",
                kind.map { StoreWords.nothingToDownload($0) }
                    ?? "There is no file to download any longer.")
        }
        return .element(
            "ul", class: "files",
            parts.map { part in
                .element(
                    "li", [],
                    [
                        .element(
                            "a", [.init("href", frame.path("downloads/\(part.id)"))],
                            [.text("Download "), .foreign(part.text.title)])
                    ])
            })
    }

    // MARK: The price that the customer saw

    static func text(_ price: Money) -> String { "\(price.thousandths) \(price.currency)" }

    static func price(_ text: String) -> Money? {
        let parts = text.split(scalar: " ")
        guard parts.count == 2, text.utf8.count <= 24, let thousandths = Int64(parts[0]),
            thousandths >= 0, parts[1].utf8.count == 3
        else { return nil }
        return Money(thousandths: thousandths, currency: String(parts[1]))
    }
}
