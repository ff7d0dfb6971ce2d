import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// A customer's account: signing in and out, and what was bought.
struct CustomerPages: Sendable {
    private static let perPage = 25
    /// As many of what was bought in apps as stand above the items.
    private static let ordersShown = 6

    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    func show() async throws -> HTTPResponse {
        guard let account = try await visit.account() else {
            return try signIn(next: visit.query("next"))
        }
        // Somebody who wanted to go elsewhere has signed in meanwhile.
        if let next = frame.own(visit.query("next")) ?? frame.app?.path {
            return .storefrontRedirect(to: next)
        }
        return try await purchases(account)
    }

    func answer() async throws -> HTTPResponse {
        let form = try visit.form()
        let here = frame.app?.path ?? frame.path("account")
        switch form[PageForm.answerField] {
        case "signIn":
            do {
                return try await visit.entered(with: form).settled(
                    .storefrontRedirect(to: frame.own(form["next"]) ?? here))
            } catch let problem as FormProblem {
                return try signIn(next: form["next"], status: 422, problem: problem)
            }
        case "forget":
            try await visit.endSession()
            return .storefrontRedirect(to: here)
        default: throw StorefrontProblem.notUnderstood
        }
    }

    private func signIn(
        next: String, status: Int = 200, problem: FormProblem? = nil
    ) throws -> HTTPResponse {
        try visit.personal(nil, status: status) { token in
            var page = StorefrontPage(
                frame.texts.signIn,
                [
                    .element(
                        "section", class: "card",
                        [
                            .element("h1", frame.texts.signInHeading),
                            .element("p", class: "lead", frame.texts.signInLead),
                            PageForm.problem(problem?.text),
                            SignInComponent(
                                token: token, texts: frame.texts,
                                account: visit.inApp?.question.account,
                                next: frame.own(next) ?? "", problem: problem
                            ).html,
                            frame.app.map { app in
                                .element(
                                    "p", class: "back",
                                    [
                                        .element(
                                            "a", [.init("href", app.path)], frame.texts.backToPage)
                                    ])
                            } ?? .nothing,
                        ])
                ])
            page.returnPath = frame.own(next)
            return page
        }
    }

    private func purchases(_ account: Account) async throws -> HTTPResponse {
        let cursor = visit.query("cursor")
        let list: ListPage<ItemSale>
        do {
            list = try await services.sales.purchases(
                of: account.id,
                PageRequest(limit: Self.perPage, cursor: cursor.isEmpty ? nil : cursor))
        } catch is ConnectRefusal {
            throw StorefrontProblem.unknown
        }
        let ids = list.items.map(\.item)
        let items = try await services.database.read { repositories in
            Dictionary(
                try repositories.items.items(ids).map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        let shown = try await services.storefront.items(ids, in: account.storefront)
        let pages = Dictionary(shown.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let downloadable = try await services.downloadable(ids)
        let inApps = cursor.isEmpty ? try await boughtInApps(account) : .nothing
        return try visit.personal(account) { token in
            StorefrontPage(
                "Your Purchases",
                [
                    AccountComponent(frame: frame).head("Your purchases", in: .purchases),
                    identity(account, token), inApps,
                    bought(
                        list.items.map { sale in
                            .element(
                                "li", class: "row",
                                row(
                                    sale, items[sale.item], pages[sale.item], account,
                                    hasDownload: downloadable.contains(sale.item)))
                        }, isAll: inApps.isNothing),
                    list.next.map(older) ?? .nothing,
                ])
        }
    }

    /// Who has signed in, with the button that ends it.
    private func identity(_ account: Account, _ token: String) -> HTML {
        .element(
            "div", class: "identity",
            [
                .element(
                    "p", [],
                    [
                        .text("Signed in as "), .foreign(account.email),
                        .text(", \(account.storefront.name)."),
                    ]),
                PageForm.form(token: token, [OfferPages.button("Sign Out", "forget", "plain")]),
            ])
    }

    /// The way to the page behind this one.
    private func older(_ cursor: String) -> HTML {
        .element(
            "nav", [.init("class", "paging"), .init("aria-label", "Purchases")],
            [
                .element(
                    "a",
                    [
                        .init("class", "button"), .init("rel", "next"),
                        .init("href", frame.path("account", [("cursor", cursor)])),
                    ], "Older Purchases")
            ])
    }

    /// The last ones of what was bought in apps; nothing where there is none.
    private func boughtInApps(_ account: Account) async throws -> HTML {
        let list = try await services.customers.orders.orders(
            of: account, PageRequest(limit: Self.ordersShown))
        guard !list.items.isEmpty else { return .nothing }
        let icons = try await visit.icons(
            of: list.items.map(\.record.entry.details.app), for: account)
        return .element(
            "section", [],
            [
                ShelfComponent(frame: frame).heading(
                    "In apps", more: list.next.map { _ in frame.path("account/orders") }),
                OrderComponents(frame: frame, icons: icons).rows(list.items),
            ])
    }

    /// - Parameter isAll: whether nothing was bought in apps.
    private func bought(_ rows: [HTML], isAll: Bool) -> HTML {
        guard !rows.isEmpty else {
            return isAll
                ? .element("p", class: "quiet", "Your purchases will appear here.") : .nothing
        }
        let list = HTML.element("ul", class: "rows", rows)
        return isAll
            ? list
            : .element(
                "section", [], [ShelfComponent(frame: frame).heading("From the store"), list])
    }

    private func row(
        _ sale: ItemSale, _ item: Item?, _ shown: StorefrontItem?, _ account: Account,
        hasDownload: Bool
    ) -> [HTML] {
        let title = item?.details.text(locale: account.storefront.locale).title ?? "–"
        let about: [HTML] =
            [
                .text(item?.details.kind.title ?? ""), .text(" · "),
                PortalFormatting.day(sale.date),
                .text(" · "), .text(StorefrontFormatting.price(sale.price, in: sale.storefront)),
            ]
            + (sale.refundDate.map {
                [
                    .text(" · "),
                    .element(
                        "strong", class: "refunded",
                        [.text("Refunded "), PortalFormatting.day($0)]),
                ]
            } ?? [])
        let words = HTML.element(
            "span", class: "words",
            [
                .element("span", class: "name", [.foreign(title)]),
                .element("span", class: "by", about),
            ])
        let what: HTML =
            shown.map { shown in
                .element(
                    "a", [.init("class", "what"), .init("href", frame.links.page(of: shown))],
                    [ArtworkComponent(item: shown, links: frame.links).html(side: 64), words])
            } ?? .element("span", class: "what", [words])
        return [
            what,
            sale.refundDate == nil
                ? OfferComponent(frame: frame).owned(
                    sale.item, isLarge: false, hasDownload: hasDownload) : .nothing,
        ]
    }
}
