import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// Lines of reports about sales.
    static let salesReports = ResourceType(
        "salesReports", at: "/openstore/v1/salesReports", reading: .viewSales,
        shape: ResourceShape([
            "day": .optional(.date), "appId": .optional(.text(1...40)),
            "productId": .optional(.text(1...255)), "itemId": .optional(.text(1...40)),
            "itemTitle": .optional(.text(0...16_000)), "territory": .optional(.text(3...3)),
            "units": .integer(0...(1 << 53)), "refunds": .integer(-(1 << 53)...(1 << 53)),
            "amounts": .list(
                .object([
                    "currency": .text(3...3), "sales": .text(1...40), "refunded": .text(1...40),
                    "proceeds": .text(1...40),
                ])),
        ]))
}

extension Resource {
    init(_ line: SalesReport.Line) {
        let key = line.key
        let parts = [
            key.day?.text, key.app.map { String($0.number) },
            key.product?.text ?? key.item.map { "id\($0.id)" }, key.territory,
        ].compactMap { $0 }
        self.init(
            .salesReports, id: parts.isEmpty ? "total" : parts.joined(separator: "/"),
            [
                "day": .text(key.day?.text), "appId": .text(key.app.map { String($0.number) }),
                "productId": .text(key.product?.text),
                "itemId": .text(key.item?.id.description), "itemTitle": .text(key.item?.title),
                "territory": .text(key.territory),
                "units": .integer(line.totals.units), "refunds": .integer(line.totals.refunds),
                "amounts": .array(
                    line.totals.currencies.map { currency in
                        let amounts = line.totals.amounts[currency] ?? SalesAmounts()
                        return [
                            "currency": .string(currency),
                            "sales": .string("\(Decimal(amounts.sales) / 1000)"),
                            "refunded": .string("\(Decimal(amounts.refunded) / 1000)"),
                            "proceeds": .string("\(Decimal(amounts.proceeds) / 1000)"),
                        ]
                    }),
            ])
    }
}

extension ConnectOperation {
    static let salesReports: [ConnectOperation] = [
        .list(
            .salesReports, .viewSales,
            filters: [
                "from": .date, "to": .date, "app": .text(1...40),
                "environment": .choice(["PRODUCTION", "SANDBOX"]),
                "by": .choice(["DAY", "PRODUCT", "TERRITORY"]),
            ]
        ) { call in
            let query: SalesQuery
            do {
                query = try SalesQuery(call.query, today: call.services.sales.today)
            } catch let refusal as ConnectRefusal where refusal.kind == .invalid {
                throw JSONAPIErrors.parameter(
                    "filter[\(refusal.field ?? "from")]", refusal.description)
            }
            let report = try await call.services.sales.report(query, by: call.actor)
            return try ListPage(of: report.lines, call.page()).map { Resource($0) }
        }
    ]
}

extension SalesQuery {
    /// Production, the last 30 days, and one line with the total, where nothing else is said.
    fileprivate init(_ query: ConnectQuery, today: SalesDay) throws {
        func day(_ name: String) throws -> SalesDay? {
            guard let text = try query.one(name) else { return nil }
            guard let day = SalesDay(text) else {
                throw ConnectRefusal(
                    .invalid, rule: "salesDay", field: name, "\(text) is no day of the store's.",
                    help: "Write one such as 2026-11-21.")
            }
            return day
        }
        let last = try day("to") ?? today
        let names: [String: SalesGrouping] = [
            "DAY": .day, "PRODUCT": .product, "TERRITORY": .territory,
        ]
        let app = try query.one("app").map { text in
            guard let number = TransactionID(text)?.number else {
                throw ConnectRefusal.notFound("app", text)
            }
            return AppID(number: number)
        }
        try self.init(
            environment: try query.one("environment") == "SANDBOX" ? .sandbox : .production,
            first: try day("from") ?? last.advanced(by: 1 - Self.standardRange), last: last,
            app: app,
            grouping: SalesGrouping((query.filter("by") ?? []).compactMap { names[$0] }))
    }
}
