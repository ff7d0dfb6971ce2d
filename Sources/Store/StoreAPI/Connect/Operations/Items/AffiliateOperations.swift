import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ResourceType {
    /// Who earns a share of the sales that come from their links.
    static let affiliates = ResourceType(
        "affiliates", at: "/openstore/v1/affiliates", reading: .manageAffiliates,
        shape: ResourceShape([
            "token": .text(4...20), "name": .text(1...200), "email": .email,
            "basisPoints": .integer(0...10_000), "active": .flag, "createdDate": .dateTime,
        ]),
        find: { call, id in
            Resource(
                try await call.services.affiliates.affiliate(
                    ConnectCall.number(id, of: "affiliate"), by: call.actor))
        })

    /// Lines of the report of what affiliates sold.
    static let affiliateReports = ResourceType(
        "affiliateReports", at: "/openstore/v1/affiliateReports", reading: .manageAffiliates,
        shape: ResourceShape([
            "affiliateId": .text(1...20), "token": .text(4...20), "name": .text(1...200),
            "campaign": .text(0...200),
            "day": .date, "sales": .integer(0...(1 << 53)), "refunds": .integer(0...(1 << 53)),
            "currency": .text(3...3), "revenue": .text(1...40), "commission": .text(1...40),
        ]))
}

extension Resource {
    init(_ affiliate: Affiliate) {
        self.init(
            .affiliates, id: String(affiliate.id),
            [
                "token": .string(affiliate.token), "name": .string(affiliate.name),
                "email": .string(affiliate.email), "basisPoints": .integer(affiliate.basisPoints),
                "active": .bool(affiliate.isActive), "createdDate": .time(affiliate.created),
            ])
    }

    init(_ line: AffiliateReportLine) {
        self.init(
            .affiliateReports,
            id: [
                String(line.affiliate.id), line.day.description, line.revenue.currency,
                line.campaign,
            ].joined(separator: "/"),
            [
                "affiliateId": .string(String(line.affiliate.id)),
                "token": .string(line.affiliate.token), "name": .string(line.affiliate.name),
                "campaign": .string(line.campaign), "day": .string(line.day.description),
                "sales": .integer(line.sales), "refunds": .integer(line.refunds),
                "currency": .string(line.revenue.currency),
                "revenue": .string("\(line.revenue.decimal)"),
                "commission": .string("\(line.commission.decimal)"),
            ])
    }
}

extension ConnectOperation {
    private static let reportFilters: [String: AttributeForm] = [
        "affiliate": .text(1...20), "from": .date, "to": .date,
    ]

    static let affiliates: [ConnectOperation] =
        reading(.affiliates) + [
            .list(.affiliates, .manageAffiliates) { call in
                try await call.services.affiliates.page(call.page(), by: call.actor)
                    .map { Resource($0) }
            },
            .create(
                .affiliates, .manageAffiliates, required: ["name", "email", "basisPoints"],
                optional: ["token"]
            ) { call in
                Resource(
                    try await call.services.affiliates.create(
                        name: try call.data.text("name"), email: try call.data.text("email"),
                        basisPoints: call.data.integer("basisPoints") ?? 0,
                        token: call.data.optionalText("token"), by: call.actor))
            },
            .update(
                .affiliates, .manageAffiliates,
                changing: ["name", "email", "basisPoints", "active"]
            ) { call in
                Resource(
                    try await call.services.affiliates.change(
                        ConnectCall.number(call.id, of: "affiliate"),
                        name: call.data.optionalText("name"),
                        email: call.data.optionalText("email"),
                        basisPoints: call.data.integer("basisPoints"),
                        isActive: call.data.flag("active"), by: call.actor))
            },
            .list(.affiliateReports, .manageAffiliates, searches: reportFilters) { call in
                try ListPage(of: try await report(call), call.page()).map { Resource($0) }
            },
            ConnectOperation(
                .get, "/openstore/v1/affiliateReports/csv", .manageAffiliates, own: .reportFile
            ) { call in
                .response(
                    HTTPResponse(
                        status: 200,
                        headers: [
                            "Content-Type": "text/csv; charset=utf-8",
                            "Cache-Control": "no-store",
                        ], body: Data(AffiliateReport.csv(try await report(call)).utf8)))
            },
        ]

    /// The last thirty days, where nothing else is asked for.
    private static func report(_ call: ConnectCall) async throws -> [AffiliateReportLine] {
        func day(_ name: String) throws -> CalendarDay? {
            guard let text = try call.query.one(name) else { return nil }
            guard let day = CalendarDay(text) else {
                throw JSONAPIErrors.parameter(
                    "filter[\(name)]", "It is no day; write one such as 2026-11-21.")
            }
            return day
        }
        let services = call.services
        guard let last = try day("to") ?? CalendarDay(of: services.clock.now()),
            let first = try day("from")
                ?? CalendarDay(of: last.beginning.addingTimeInterval(-29 * 86_400))
        else { throw JSONAPIErrors.parameter("filter[from]", "No day is before that.") }
        let affiliate = try call.query.one("affiliate").map {
            try ConnectCall.number($0, of: "affiliate")
        }
        return try await services.affiliates.report(
            of: affiliate, from: first, to: last, by: call.actor)
    }
}

extension OwnDescription {
    fileprivate static let reportFile = OwnDescription(
        parameters: [
            "filter[affiliate]": ["type": "string"],
            "filter[from]": ["type": "string", "format": "date"],
            "filter[to]": ["type": "string", "format": "date"],
        ],
        answers: [200: .some(["type": "string"])], answerType: "text/csv")
}

extension ConnectCall {
    /// The number of something of the store's own.
    ///
    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func number(_ text: String, of what: String) throws -> Int64 {
        guard let number = ProductNumber(text)?.number else {
            throw ConnectRefusal.notFound(what, String(text.prefix(40)))
        }
        return number
    }
}
