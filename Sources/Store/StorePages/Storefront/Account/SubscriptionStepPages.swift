import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// What a customer can do with a subscription that runs.
package enum SubscriptionStep: String, Sendable, CaseIterable {
    case cancel, resume, change

    var title: String {
        switch self {
        case .cancel: "Cancel Subscription"
        case .resume: "Resume Subscription"
        case .change: "Change Subscription"
        }
    }
}

/// Cancelling, resuming and changing a subscription: asked first, then done.
struct SubscriptionStepPages: Sendable {
    /// The field with the product that it is to go on with.
    private static let productField = "product"

    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }
    private var component: AccountComponent { AccountComponent(frame: frame) }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    private func step() throws -> SubscriptionStep {
        guard let step = visit.request.parameters.last.flatMap(SubscriptionStep.init(rawValue:))
        else { throw StorefrontProblem.unknown }
        return step
    }

    func show() async throws -> HTTPResponse {
        let account = try await visit.customer()
        let managed = try await SubscriptionPages(visit).managed(of: account)
        let words = SubscriptionStrings(managed: managed, account: account, frame: frame)
        let back = frame.path(SubscriptionPages.path(managed.subscription))
        // What is over, or done already, is shown as it is.
        guard managed.subscription.state.isRunning else { return .storefrontRedirect(to: back) }
        switch try step() {
        case .cancel:
            guard managed.subscription.renews else { return .storefrontRedirect(to: back) }
            return try await page(.cancel, "Cancel it?", words, cancelling(words), keep: "Keep It")
        case .resume:
            guard !managed.subscription.renews, let price = managed.renewalPrice else {
                return .storefrontRedirect(to: back)
            }
            return try await page(
                .resume, "Resume it?", words, resuming(words, price), keep: "Let It End",
                fields: managed.resumingPrice.map(Self.priceField) ?? [])
        case .change:
            let product = try product(visit.query(Self.productField), of: managed)
            return try await page(
                .change, "Change it?", words, changing(to: product, words), keep: "Keep It",
                fields: choice(product, words))
        }
    }

    func answer() async throws -> HTTPResponse {
        let form = try visit.form()
        let account = try await visit.customer()
        guard form[PageForm.answerField] == "yes" else { throw StorefrontProblem.notUnderstood }
        let order = try visit.order()
        let (service, original) = (services.customers.subscriptions, order.transaction)
        do {
            switch try step() {
            case .cancel: try await service.setRenews(false, of: original, by: account.id)
            case .resume:
                try await service.setRenews(
                    true, of: original, by: account.id,
                    expecting: ItemSaleForm.price(form[ItemSaleForm.priceField]))
            case .change:
                guard let product = ProductID(form[Self.productField]) else {
                    throw StorefrontProblem.notUnderstood
                }
                try await service.setRenewalProduct(
                    product, of: original, by: account.id, renews: true,
                    expecting: ItemSaleForm.price(form[ItemSaleForm.priceField]))
            }
        } catch let refusal as SubscriptionChangeRefusal {
            guard refusal != .notFound else { throw StorefrontProblem.unknown }
            throw StorefrontProblem(
                status: 422, title: "Not Changed", text: refusal.description)
        }
        return .storefrontRedirect(to: frame.path(SubscriptionPages.path(order)))
    }

    // MARK: What is asked

    private func moment(_ words: SubscriptionStrings) -> HTML {
        component.moment(words.managed.subscription.expiration)
    }

    private func cancelling(_ words: SubscriptionStrings) -> [[HTML]] {
        let charge = [HTML.text("You are not charged again, and get no refund.")]
        guard let end = words.managed.subscription.entitlementEnd else {
            return [
                [.text("The store does not try to charge you again, and it ends now.")], charge,
            ]
        }
        return [
            [.text("You have it until "), component.moment(end), .text("; then it ends.")], charge,
            [.text("Until it ends you can resume it.")],
        ]
    }

    private func resuming(_ words: SubscriptionStrings, _ price: Money) -> [[HTML]] {
        let managed = words.managed
        let cost = words.price(price)
        var consequences: [[HTML]] =
            managed.subscription.state == .active
            ? [
                [
                    .text("It is renewed on "), moment(words),
                    .text(", for \(cost), and so on until you cancel it."),
                ], [.text("Nothing is charged today.")],
            ] : [[.text("You are charged \(cost) today, and it renews until you cancel it.")]]
        if let full = managed.fullPrice, full != price {
            let span = SubscriptionStrings.span(words.renewalProduct?.details.subscription?.period)
            consequences.append([.text("Without the offer it costs \(words.price(full)) \(span).")])
        }
        if let asked = managed.askedPrice, asked == managed.resumingPrice, asked != price {
            consequences.append([
                .text(
                    "The price can go up to \(words.price(asked)); by resuming you agree to that."
                )
            ])
        }
        return consequences
    }

    private func product(
        _ text: String, of managed: ManagedSubscription
    ) throws -> Product {
        let found = managed.choices.first { $0.details.productID.text == text }
        guard let found else { throw StorefrontProblem.unknown }
        return found
    }

    private func changing(to product: Product, _ words: SubscriptionStrings) -> [[HTML]] {
        let details = product.details
        let title = HTML.foreign(words.title(product, details.productID))
        let price = product.price(in: words.account.storefront, at: words.managed.date)
        let cost = price.map(words.price) ?? ""
        let span = SubscriptionStrings.span(details.subscription?.period)
        let subscription = words.managed.subscription
        guard subscription.state == .active else {
            return [
                [
                    title,
                    .text(" begins as soon as the payment goes through, for \(cost) \(span)."),
                ],
                [
                    .text(
                        subscription.renews
                            ? "The next attempt charges you \(cost)."
                            : "You are charged \(cost) today.")
                ],
            ]
        }
        guard details.productID != subscription.product else {
            return [
                [
                    .text("It goes on as "), title, .text(" on "), moment(words),
                    .text(", for \(cost) \(span)."),
                ]
            ]
        }
        if words.managed.isUpgrade(to: product) {
            return [
                [
                    title,
                    .text(" begins now, for \(cost) \(span), and renews until you cancel it."),
                ],
                [
                    .text(
                        "You are charged \(cost) today. You get back what you paid for the rest of "
                    ),
                    .foreign(words.title), .text("."),
                ],
            ]
        }
        return [
            [title, .text(" begins on "), moment(words), .text(", for \(cost) \(span).")],
            [.text("Until then you have "), .foreign(words.title), .text(".")],
            [.text("Nothing is charged today.")],
        ]
    }

    private func page(
        _ step: SubscriptionStep, _ question: String, _ words: SubscriptionStrings,
        _ consequences: [[HTML]], keep: String, fields: [HTML] = []
    ) async throws -> HTTPResponse {
        let icons = try await visit.icons(of: [words.managed.app.id], for: words.account)
        return try visit.personal(words.account) { token in
            StorefrontPage(
                step.title,
                [
                    .element(
                        "section", class: "card",
                        [
                            .element("h1", question),
                            SubscriptionPages.summary(words, icons),
                            .element(
                                "ul", class: "consequences",
                                consequences.map { .element("li", [], $0) }),
                            PageForm.form(
                                token: token,
                                fields + [
                                    .element(
                                        "div", class: "actions",
                                        [
                                            OfferPages.button(
                                                step.title, "yes",
                                                step == .cancel ? "primary danger" : "primary"),
                                            component.button(
                                                keep,
                                                to: SubscriptionPages.path(
                                                    words.managed.subscription)),
                                        ])
                                ]),
                        ])
                ])
        }
    }

    /// What the form says of the product that is chosen, with the price that its page shows.
    private func choice(_ product: Product, _ words: SubscriptionStrings) -> [HTML] {
        let price = product.price(in: words.account.storefront, at: words.managed.date)
        return [PageForm.hidden(Self.productField, product.details.productID.text)]
            + (price.map(Self.priceField) ?? [])
    }

    private static func priceField(_ price: Money) -> [HTML] {
        [PageForm.hidden(ItemSaleForm.priceField, ItemSaleForm.text(price))]
    }
}
