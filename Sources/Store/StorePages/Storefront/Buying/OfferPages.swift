import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// Getting an item: what it costs, on whose account, and what one has of it then.
struct OfferPages: Sendable {
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
            return visit.settled(moved(to: account, id))
        }
        var response = try await page(id, account)
        visit.remember(in: &response)
        return response
    }

    private func moved(to account: Account, _ id: ItemID) -> HTTPResponse {
        var response = HTTPResponse.storefrontRedirect(
            to: frame.moved(to: account.storefront).path("buy/\(id)"))
        visit.remember(in: &response)
        return response
    }

    func answer() async throws -> HTTPResponse {
        guard let id = visit.item else { throw StorefrontProblem.unknown }
        let form = try visit.form()
        let taken = try await take(PageAnswer(rawValue: form[PageForm.answerField]), id, form)
        // After a wrong password the page asks again, even if another account is signed in.
        let account = taken.isUnproven ? nil : try await taken.visit.account()
        if let account, account.storefront != frame.storefront {
            return taken.visit.settled(moved(to: account, id))
        }
        guard let problem = taken.problem else {
            return taken.visit.settled(.storefrontRedirect(to: frame.path("buy/\(id)")))
        }
        return try await OfferPages(taken.visit).page(id, account, status: 422, problem: problem)
    }

    // MARK: The sale

    /// Takes a button of the form that gets an item.
    ///
    /// - Returns: who visits the page then, what was wrong, and whether that was the password; nothing was
    ///   bought where something was wrong.
    func take(
        _ answer: PageAnswer?, _ id: ItemID, _ form: FormFields
    ) async throws -> (visit: StorefrontVisit, problem: FormProblem?, isUnproven: Bool) {
        var visit = visit
        // The account whose password was typed pays, even if another one has signed in meanwhile.
        let isTyped = !form["password"].isEmpty
        var isUnproven = false
        switch answer {
        case .forget:
            try await visit.endSession()
            return (visit.left, nil, false)
        case .signIn, .buy: break
        default: throw StorefrontProblem.notUnderstood
        }
        do {
            let known = try await visit.account()
            if isTyped || known == nil {
                isUnproven = true
                visit = try await visit.entered(with: form)
                isUnproven = false
            }
            // An account buys in the store of its own country, at the price that is shown there.
            if answer == .buy, let account = try await visit.account(),
                account.storefront == visit.frame.storefront
            {
                try await OfferPages(visit).buy(id, form, account)
            }
            return (visit, nil, false)
        } catch let problem as FormProblem {
            return (visit, problem, isUnproven)
        }
    }

    private func buy(_ id: ItemID, _ form: FormFields, _ account: Account) async throws {
        guard let order = ItemSaleForm.order(form, of: id) else {
            throw FormProblem(frame.texts.noAnswer)
        }
        if order.item != id {
            let part = try await services.storefront.item(order.item, in: frame.storefront)
            guard part?.parent?.item.id == id else { throw StorefrontProblem.notUnderstood }
        }
        do {
            _ = try await services.sales.buy(
                order.item, expecting: order.price, by: account, referral: visit.referral)
        } catch let refusal as ItemSaleRefusal {
            throw FormProblem(frame.texts.sentence(of: refusal, in: frame.storefront))
        }
    }

    /// The form for an item that the customer has not got, or what stands instead of it.
    ///
    /// - Parameter account: who is signed in.
    func form(
        for item: StorefrontItem, _ account: Account?, problem: FormProblem?
    ) async throws -> ItemSaleForm {
        let status: ItemSaleForm.Status
        let buyer = account?.id ?? visit.inApp?.wanted
        if let price = item.price {
            if let obstacle = item.obstacle {
                status = .held(obstacle)
            } else if let buyer, try await services.sales.needsApproval(buyer) {
                status = .restricted
            } else {
                status = .offered(price)
            }
        } else {
            status = .shown
        }
        return ItemSaleForm(
            status: status, frame: frame, customer: account?.email,
            account: visit.inApp?.question.account, problem: problem)
    }

    // MARK: The page of the storefront

    private func page(
        _ id: ItemID, _ account: Account?, status: Int = 200, problem: FormProblem? = nil
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
        let form = try await form(for: item, account, problem: problem)
        return try visit.personal(account, status: status) { token in
            let isFree = price.thousandths == 0
            var page = StorefrontPage(
                isFree ? "Get" : "Confirm Your Purchase",
                [
                    .element(
                        "section", class: "card",
                        [
                            .element("h1", isFree ? "Get it?" : "Buy it?"),
                            OrderComponent(
                                item: item, frame: frame,
                                price: StorefrontFormatting.price(price, in: frame.storefront)
                            ).html,
                            form.html(token: token), cancel(item),
                        ])
                ])
            page.returnPath = frame.path("buy/\(id)")
            return page
        }
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
        let media = try await services.media.download(of: id)
        let app = media == nil ? try await services.apps.release(of: id) : nil
        let size = media?.size ?? app?.build.size
        let isWithheld = try await services.sales.right(to: id, of: account) == .withheld
        let parts: [StorefrontItem] =
            kept?.details.kind.isCollection == true
            ? try await services.storefront.ownedParts(of: id, in: frame.storefront) : []
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
                                OrderComponent(item: $0, frame: frame, price: "").html
                            } ?? .nothing,
                            isWithheld
                                ? .element("p", class: "quiet", DownloadPages.withheld)
                                : downloads(id, kept?.details.kind, size, parts),
                            app.map(install) ?? .nothing,
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

    /// What the file is, and the command that installs it instead.
    private func install(_ app: AppDeliveryService.AppRelease) -> HTML {
        .element(
            "p", class: "quiet",
            [
                .text(
                    "Version \(app.version.version), \(app.delivery.format.title). On a terminal: "),
                .element("code", "openstore install \(app.app.id.number)"),
            ])
    }

    private func downloads(
        _ id: ItemID, _ kind: ItemKind?, _ size: Int64?, _ parts: [StorefrontItem]
    ) -> HTML {
        if let size {
            return .element(
                "p", class: "actions",
                [
                    .element(
                        "a",
                        [
                            .init("class", "button primary"),
                            .init("href", frame.path("downloads/\(id)")),
                        ], "Download (\(PortalFormatting.bytes(size)))")
                ])
        }
        guard !parts.isEmpty else {
            return .element(
                "p", class: "quiet",
                kind.map { StorefrontFormatting.nothingToDownload($0) }
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
}
