import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// Who got which items is told without saying who: a publisher sells to customers of the
    /// store.
    static let itemSales = ResourceType(
        "itemSales", at: "/openstore/v1/itemSales", reading: .viewSales,
        shape: ResourceShape([
            "itemId": .text(1...20), "environment": .choice(["PRODUCTION", "SANDBOX"]),
            "territory": .text(3...3),
            "price": .text(1...40), "currency": .text(3...3),
            "campaign": .optional(.text(1...200)), "provider": .optional(.text(1...200)),
            "saleDate": .dateTime, "refundDate": .optional(.dateTime), "cleared": .flag,
        ]))

    /// Sales that are taken back.
    static let itemRefunds = ResourceType(
        "itemRefunds", at: "/openstore/v1/itemRefunds", reading: .manageTesters,
        shape: ResourceShape(["refundDate": .dateTime]),
        relationships: [
            .one("sale", to: "itemSales") { _, _ in nil }
        ])
}

extension Resource {
    init(_ sale: ItemSale) {
        self.init(
            .itemSales, id: sale.id.description,
            [
                "itemId": .string(sale.item.description),
                "environment": .string(sale.environment == .sandbox ? "SANDBOX" : "PRODUCTION"),
                "territory": .string(sale.storefront.code),
                "price": .string("\(sale.price.decimal)"),
                "currency": .string(sale.price.currency),
                "campaign": .text(sale.referral.campaign),
                "provider": .text(sale.referral.provider), "saleDate": .time(sale.date),
                "refundDate": .time(sale.refundDate), "cleared": .bool(sale.isCleared),
            ])
    }
}

extension ConnectOperation {
    static let itemSales: [ConnectOperation] = [
        .list(
            .itemSales, .viewSales, searches: ["item": .text(1...20), "team": .teamFilter]
        ) { call in
            try await call.services.itemSales.sales(
                of: try call.namedTeam(),
                item: try call.query.one("item").map { try ResourceType.itemID($0) },
                call.page(), by: call.actor
            ).map { Resource($0) }
        },
        // The operator takes back any sale, a publisher what testers bought in the sandbox.
        .create(.itemRefunds, .manageTesters, required: ["sale"]) { call in
            let text = try call.data.one("sale")
            guard let id = ItemSaleID(text) else {
                throw ConnectRefusal.notFound("sale", String(text.prefix(40)))
            }
            let sale = try await call.services.itemSales.refund(id, by: call.actor)
            return Resource(
                .itemRefunds, id: sale.id.description,
                ["refundDate": .time(sale.refundDate)],
                links: ["sale": [ResourceLink(type: "itemSales", id: sale.id.description)]])
        },
    ]
}
