import Foundation
import StoreCore
import StoreModel

/// What customers bought in apps: rows of a list, and the piece that a page about one begins with.
struct OrderComponents {
    let frame: StorefrontFrame
    let icons: [AppID: StorefrontItem]

    static func path(_ order: OrderID) -> String { "account/orders/\(order)" }

    func rows(_ orders: [CustomerOrder]) -> HTML {
        .element(
            "ul", class: "rows", orders.map { .element("li", class: "row", row($0)) })
    }

    private func row(_ order: CustomerOrder) -> [HTML] {
        let details = order.record.entry.details
        return [
            .element(
                "a",
                [.init("class", "what"), .init("href", frame.path(Self.path(order.id)))],
                [
                    icon(order, side: 64),
                    .element(
                        "span", class: "words",
                        [
                            .element("span", class: "name", [name(order)]),
                            .element(
                                "span", class: "by",
                                [
                                    .foreign(order.appName), .text(" · "),
                                    PortalFormatting.day(details.date),
                                ]),
                            .element(
                                "span", class: "by",
                                [
                                    order.record.shared == nil
                                        ? .text("\(price(order)) · ")
                                        : .nothing, .text("Order \(order.id)"),
                                ]),
                        ]),
                ]),
            mark(order.status),
        ]
    }

    /// What one thing on the page is about.
    func summary(_ order: CustomerOrder) -> HTML {
        summary(
            icon: icon(order, side: 80), name: name(order), by: .foreign(order.appName),
            amount: order.record.shared == nil ? price(order) : "")
    }

    /// - Parameter amount: empty for none.
    func summary(icon: HTML, name: HTML, by: HTML, amount: String, of span: String = "") -> HTML {
        .element(
            "div", class: "order",
            [
                icon,
                .element(
                    "div", class: "words",
                    [
                        .element("p", class: "name", [name]), .element("p", class: "by", [by]),
                    ]),
                amount.isEmpty
                    ? .nothing
                    : .element(
                        "p", class: "amount",
                        [
                            .text(amount),
                            span.isEmpty ? .nothing : .element("span", class: "span", span),
                        ]),
            ])
    }

    private func icon(_ order: CustomerOrder, side: Int) -> HTML {
        AppIconComponent(
            name: order.appName, item: icons[order.record.entry.details.app], frame: frame
        ).html(side: side)
    }

    private func name(_ order: CustomerOrder) -> HTML {
        let quantity = order.record.entry.details.quantity
        return .group([
            .foreign(order.title), quantity == 1 ? .nothing : .text(" × \(quantity)"),
        ])
    }

    func price(_ order: CustomerOrder) -> String {
        let details = order.record.entry.details
        return StorefrontFormatting.price(details.charged, in: details.storefront)
    }

    /// How it stands, where that is more than that it was bought.
    func mark(_ status: CustomerOrder.Status) -> HTML {
        switch status {
        case .bought: .nothing
        case .waiting: Self.mark("Refund asked for", "mark warm")
        case .refunded: Self.mark("Refunded", "mark")
        case .shared: Self.mark("Family", "mark chosen")
        case .familyEnded: Self.mark("No longer shared", "mark")
        }
    }

    static func mark(_ text: String, _ style: String) -> HTML {
        .element("span", [.init("class", style)], text)
    }
}
