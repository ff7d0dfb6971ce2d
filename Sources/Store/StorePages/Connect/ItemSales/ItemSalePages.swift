import StoreCore
import StoreModel

extension PortalRouteTable {
    /// Which items were sold, and taking a sale back.
    static let itemSales: [PortalRoute] = [
        .get("/item-sales", .viewSales, ItemSalePages.list),
        .get("/item-sales/{id}/refund", .manageTesters, ItemSalePages.ask),
        .post("/item-sales/{id}/refund", .manageTesters, ItemSalePages.refund),
    ]
}

/// Sales of items. Who bought is the store's to know.
enum ItemSalePages {
    private static let root = PortalSection.itemSales.path

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let found = try await call.services.itemSales.sales(
            of: nil, item: call.query("item").flatMap { ItemID($0) },
            PageRequest(limit: PortalPaging.size, cursor: call.query("page")), by: call.actor)
        let titles = try await call.titles(of: found.items.map(\.item))
        var page = PortalPage(
            PortalSection.itemSales.title,
            [
                PortalTable(
                    "Sales",
                    columns: [
                        .init("Item"), .init("Price", isNumber: true), .init("Storefront"),
                        .init("Sold"), .init("State"),
                    ],
                    rows: found.items.map { sale in
                        [
                            .group([
                                call.itemLink(sale.item, titles),
                                .element(
                                    "span", class: "quiet under",
                                    "Sale \(sale.id)"
                                        + (sale.environment == .sandbox ? ", sandbox" : "")),
                            ]),
                            .text(
                                sale.price.thousandths == 0
                                    ? "Free" : PortalFormatting.money(sale.price)),
                            .text(sale.storefront.name), PortalFormatting.time(sale.date),
                            state(sale, call),
                        ]
                    }, none: ("Nothing sold yet", "What customers get stands here at once.")
                ).html(),
                PortalCursorPaging(
                    total: found.total, shown: found.items.count,
                    isFirst: call.query("page") == nil, next: found.next
                ).html(call),
            ], in: .itemSales)
        page.lead = "The newest first, with what testers got in the sandbox."
        return .page(page)
    }

    private static func mayRefund(_ sale: ItemSale, _ call: PortalCall) -> Bool {
        sale.refundDate == nil && !sale.isCleared
            && (call.actor.allows(.operate)
                || sale.environment == .sandbox && call.actor.allows(.manageTesters))
    }

    private static func state(_ sale: ItemSale, _ call: PortalCall) -> HTML {
        if let date = sale.refundDate {
            return .group([
                PortalBadge.refunded.html,
                .element("span", class: "quiet under", [PortalFormatting.day(date)]),
            ])
        }
        if sale.isCleared { return PortalBadge("Cleared", .plain).html }
        return mayRefund(sale, call)
            ? .buttonLink("\(root)/\(sale.id)/refund", "Refund…") : PortalBadge("Sold", .good).html
    }

    // MARK: Refunds

    static func ask(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, PortalForm(call)))
    }

    static func refund(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let (sale, item) = try await sale(call)
            _ = try await call.services.itemSales.refund(sale.id, by: call.actor)
            // Who takes back what a tester got need not be one who sees sales.
            return .redirect(
                to: call.actor.allows(.viewSales) ? root : PortalPath.start,
                notice: "The sale of \(item.title) is refunded.")
        } again: {
            try await page(call, $0)
        }
    }

    /// The sale in the path, with its item.
    private static func sale(_ call: PortalCall) async throws -> (ItemSale, Item) {
        guard let id = ItemSaleID(call.id) else {
            throw ConnectRefusal.notFound("sale", String(call.id.prefix(40)))
        }
        let actor = call.actor
        return try await call.services.database.read { repositories in
            guard let sale = try repositories.itemSales.sale(id),
                let item = try repositories.items.item(sale.item), actor.sees(team: item.team),
                sale.environment == .sandbox || actor.allows(.viewSales)
            else { throw ConnectRefusal.notFound("sale", id.description) }
            return (sale, item)
        }
    }

    private static func page(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage {
        let (sale, item) = try await sale(call)
        var page = PortalConfirmation(
            "Refund \(item.title)?",
            [
                sale.price.thousandths == 0
                    ? "It was free: nothing is given back."
                    : "The customer gets \(PortalFormatting.money(sale.price)) back.",
                "The item is taken away from the customer, who can buy it again.",
                "It can’t be undone.",
            ], button: "Refund"
        ).page(form, action: "\(root)/\(sale.id)/refund", cancel: root, in: .itemSales)
        page.trail = [.init(PortalSection.itemSales.title, root)]
        return page
    }
}
