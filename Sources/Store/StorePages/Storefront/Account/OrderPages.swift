import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// What a customer bought in apps: all of it, and one order with what became of it.
struct OrderPages: Sendable {
    private static let perPage = 25

    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }
    private var component: AccountComponent { AccountComponent(frame: frame) }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    func list() async throws -> HTTPResponse {
        let account = try await visit.customer()
        let cursor = visit.query("cursor")
        let list: ListPage<CustomerOrder>
        do {
            list = try await services.customers.orders.orders(
                of: account,
                PageRequest(limit: Self.perPage, cursor: cursor.isEmpty ? nil : cursor))
        } catch is ConnectRefusal {
            throw StorefrontProblem.unknown
        }
        let icons = try await visit.icons(
            of: list.items.map(\.record.entry.details.app), for: account)
        return try visit.personal(account) { _ in
            StorefrontPage(
                "Bought in Apps",
                [
                    component.head("Bought in apps", in: .purchases),
                    list.items.isEmpty
                        ? .element(
                            "p", class: "quiet", "Your purchases in apps will appear here.")
                        : OrderComponents(frame: frame, icons: icons).rows(list.items),
                    list.next.map { next in
                        .element(
                            "nav", [.init("class", "paging"), .init("aria-label", "Purchases")],
                            [
                                .element(
                                    "a",
                                    [
                                        .init("class", "button"), .init("rel", "next"),
                                        .init(
                                            "href",
                                            frame.path("account/orders", [("cursor", next)])),
                                    ], "Older Purchases")
                            ])
                    } ?? .nothing,
                ])
        }
    }

    func show() async throws -> HTTPResponse {
        let account = try await visit.customer()
        let order = try await order(of: account)
        let icons = try await visit.icons(of: [order.record.entry.details.app], for: account)
        return try visit.personal(account) { _ in
            StorefrontPage(
                "Order \(order.id)",
                [
                    .element(
                        "section", class: "card wide",
                        [
                            .element("h1", "Your order"),
                            OrderComponents(frame: frame, icons: icons).summary(order),
                            note(order), facts(order), RefundStepList(order, frame).html,
                            actions(order), component.back(to: "account/orders", "All purchases"),
                        ])
                ])
        }
    }

    private func order(of account: Account) async throws -> CustomerOrder {
        guard
            let order = try await services.customers.orders.order(
                try visit.order(), of: account)
        else { throw StorefrontProblem.unknown }
        return order
    }

    // MARK: Parts

    private func note(_ order: CustomerOrder) -> HTML {
        switch order.status {
        case .shared:
            .element(
                "p", class: "note plain",
                "Somebody of your family bought it, and shares it with you.")
        case .familyEnded:
            .element(
                "p", class: "note plain",
                "Your family shared it with you, and no longer does.")
        case .bought, .waiting, .refunded: .nothing
        }
    }

    private func facts(_ order: CustomerOrder) -> HTML {
        let details = order.record.entry.details
        var facts: [(String, HTML)] = [
            ("Order", .text(order.id.description)),
            (
                order.record.shared == nil ? "Bought" : "Shared with you",
                PortalFormatting.time(details.date)
            ),
            ("Kind", .text(Self.kind(details.productType))),
        ]
        let known = order.record.facts
        if let end = known.expiration, !known.isUpgraded, known.revocation == nil {
            facts.append(("Paid until", component.moment(end)))
        }
        return .element(
            "dl", class: "facts",
            facts.map { name, value in
                .element("div", [], [.element("dt", name), .element("dd", [], [value])])
            })
    }

    static func kind(_ type: ProductType) -> String {
        switch type {
        case .consumable, .nonConsumable: "In-app purchase"
        case .nonRenewingSubscription: "Subscription that is not renewed"
        case .autoRenewableSubscription: "Subscription"
        }
    }

    private func actions(_ order: CustomerOrder) -> HTML {
        let isOwnSubscription = order.record.group != nil && order.record.shared == nil
        let buttons = [
            order.refusal == nil
                ? component.button(
                    order.outcome == .declined ? "Ask Again" : "Request a Refund",
                    to: OrderComponents.path(order.id) + "/refund") : .nothing,
            isOwnSubscription
                ? component.button(
                    "Manage Subscription",
                    to: SubscriptionPages.path(OrderID(order.record.entry.original.id)))
                : .nothing,
        ]
        return buttons.allSatisfy(\.isNothing)
            ? .nothing : .element("p", class: "actions", buttons)
    }
}
