import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// What a customer subscribes to: all of it, and one subscription with what can be done.
struct SubscriptionPages: Sendable {
    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }
    private var component: AccountComponent { AccountComponent(frame: frame) }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    /// - Parameter order: the first order of the subscription.
    static func path(_ order: OrderID) -> String { "account/subscriptions/\(order)" }

    static func path(_ subscription: Subscription) -> String {
        path(OrderID(subscription.original.id))
    }

    // MARK: The list

    func list() async throws -> HTTPResponse {
        let account = try await visit.customer()
        let all = try await services.customers.subscriptions.subscriptions(of: account.id)
        let family = try await services.customers.orders.familySubscriptions(of: account)
        let icons = try await visit.icons(
            of: all.map(\.app.id) + family.map(\.record.entry.details.app), for: account)
        let running = all.filter(\.subscription.state.isRunning)
        let ended = all.filter { !$0.subscription.state.isRunning }
        return try visit.personal(account) { _ in
            StorefrontPage(
                "Your Subscriptions",
                [
                    component.head("Your subscriptions", in: .subscriptions),
                    all.isEmpty && family.isEmpty
                        ? .element(
                            "p", class: "quiet",
                            "Your subscriptions will appear here.")
                        : .nothing,
                    section("Running", rows(running, account, icons)),
                    section(
                        "Through your family",
                        family.map { sharedRow($0, icons) }),
                    section("Ended", rows(ended, account, icons)),
                ])
        }
    }

    private func section(_ title: String, _ rows: [HTML]) -> HTML {
        rows.isEmpty
            ? .nothing
            : .element(
                "section", [],
                [
                    .element("div", class: "heading", [.element("h2", title)]),
                    .element("ul", class: "rows", rows),
                ])
    }

    private func rows(
        _ subscriptions: [ManagedSubscription], _ account: Account,
        _ icons: [AppID: StorefrontItem]
    ) -> [HTML] {
        subscriptions.map { managed in
            let words = SubscriptionStrings(managed: managed, account: account, frame: frame)
            return .element(
                "li", class: "row",
                [
                    .element(
                        "a",
                        [
                            .init("class", "what"),
                            .init("href", frame.path(Self.path(managed.subscription))),
                        ],
                        [
                            AppIconComponent(
                                name: managed.app.name, item: icons[managed.app.id], frame: frame
                            ).html(side: 64),
                            texts(.foreign(words.title), managed.app.name, words.sentence),
                        ]),
                    words.mark,
                ])
        }
    }

    private func texts(_ name: HTML, _ app: String, _ sentence: [HTML]) -> HTML {
        .element(
            "span", class: "words",
            [
                .element("span", class: "name", [name]),
                .element("span", class: "by", [.foreign(app)]),
                .element("span", class: "by", sentence),
            ])
    }

    private func sharedRow(_ order: CustomerOrder, _ icons: [AppID: StorefrontItem]) -> HTML {
        let end = order.record.facts.expiration ?? order.record.entry.details.date
        return .element(
            "li", class: "row",
            [
                .element(
                    "a",
                    [
                        .init("class", "what"),
                        .init("href", frame.path(OrderComponents.path(order.id))),
                    ],
                    [
                        AppIconComponent(
                            name: order.appName, item: icons[order.record.entry.details.app],
                            frame: frame
                        ).html(side: 64),
                        texts(
                            .foreign(order.title), order.appName,
                            [.text("Paid until "), component.moment(end)]),
                    ]), OrderComponents.mark("Family", "mark chosen"),
            ])
    }

    // MARK: One

    func show() async throws -> HTTPResponse {
        let account = try await visit.customer()
        let managed = try await managed(of: account)
        let icons = try await visit.icons(of: [managed.app.id], for: account)
        let words = SubscriptionStrings(managed: managed, account: account, frame: frame)
        return try visit.personal(account) { _ in
            StorefrontPage(
                words.title,
                [
                    .element(
                        "section", class: "card wide",
                        [
                            .element("h1", "Your subscription"),
                            Self.summary(words, icons),
                            words.note.map { .element("p", class: "note", $0) } ?? .nothing,
                            facts(words), actions(managed), choices(words),
                            component.back(to: "account/subscriptions", "All subscriptions"),
                        ])
                ])
        }
    }

    /// The subscription that the path names.
    ///
    /// - Throws: `StorefrontProblem.unknown` where the account has no such one.
    func managed(of account: Account) async throws -> ManagedSubscription {
        guard
            let managed = try await services.customers.subscriptions.subscription(
                try visit.order().transaction, of: account.id)
        else { throw StorefrontProblem.unknown }
        return managed
    }

    static func summary(_ words: SubscriptionStrings, _ icons: [AppID: StorefrontItem]) -> HTML {
        let app = words.managed.app
        let subscription = words.managed.subscription
        // If the next period is one of another product, the sentence under "Next" names it and its price.
        let isSame = subscription.renewalProduct == subscription.product
        return OrderComponents(frame: words.frame, icons: icons).summary(
            icon: AppIconComponent(name: app.name, item: icons[app.id], frame: words.frame).html(
                side: 80), name: .foreign(words.title), by: .foreign(app.name),
            amount: subscription.state.isRunning && isSame
                ? words.managed.renewalPrice.map(words.price) ?? "" : "",
            of: SubscriptionStrings.span(
                words.managed.renewalPeriod ?? words.renewalProduct?.details.subscription?.period))
    }

    private func facts(_ words: SubscriptionStrings) -> HTML {
        let subscription = words.managed.subscription
        var facts: [(String, HTML)] = [
            ("State", words.mark), ("Next", .group(words.sentence)),
            ("Since", component.moment(subscription.start)),
            (
                "Last order",
                .element(
                    "a",
                    [
                        .init(
                            "href",
                            frame.path(OrderComponents.path(OrderID(subscription.latest))))
                    ], OrderID(subscription.latest).description)
            ),
        ]
        if !subscription.state.isRunning { facts[1].0 = "Until" }
        return .element(
            "dl", class: "facts",
            facts.map { name, value in
                .element("div", [], [.element("dt", name), .element("dd", [], [value])])
            })
    }

    private func actions(_ managed: ManagedSubscription) -> HTML {
        let subscription = managed.subscription
        guard subscription.state.isRunning else {
            return .element(
                "p", class: "about", "To have it again, subscribe in the app.")
        }
        let path = Self.path(subscription)
        let step: SubscriptionStep = subscription.renews ? .cancel : .resume
        guard step == .cancel || managed.renewalPrice != nil else { return .nothing }
        return .element(
            "p", class: "actions",
            [
                component.button(
                    step.title, to: "\(path)/\(step.rawValue)",
                    style: step == .cancel ? "button danger" : "button primary")
            ])
    }

    /// What else of the group there is.
    private func choices(_ words: SubscriptionStrings) -> HTML {
        let subscription = words.managed.subscription
        let others = words.managed.choices.filter {
            $0.details.productID != subscription.renewalProduct
        }
        guard subscription.state.isRunning, !others.isEmpty else { return .nothing }
        let path = Self.path(subscription) + "/\(SubscriptionStep.change.rawValue)"
        return .group([
            .element("h2", "Other choices"),
            .element(
                "ul", class: "plans",
                others.map { product in
                    let id = product.details.productID
                    let title = words.title(product, id)
                    let price = product.price(
                        in: words.account.storefront, at: words.managed.date)
                    return .element(
                        "li", [],
                        [
                            .element(
                                "span", class: "words",
                                [
                                    .element("span", class: "name", [.foreign(title)]),
                                    .element(
                                        "span", class: "by",
                                        (price.map(words.price) ?? "") + " "
                                            + SubscriptionStrings.span(
                                                product.details.subscription?.period)),
                                ]),
                            .element(
                                "a",
                                [
                                    .init("class", "offer"),
                                    .init(
                                        "href", frame.path(path, [("product", id.text)])),
                                ],
                                [
                                    .text("Choose"),
                                    .element(
                                        "span", class: "unseen", [.text(": "), .foreign(title)]),
                                ]),
                        ])
                }),
        ])
    }
}
