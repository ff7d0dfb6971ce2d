import Foundation
import StoreCore
import StoreModel

/// What affiliates sold in a time: as a page, and as comma-separated values.
enum AffiliateReportPage {
    private static let root = PortalSection.affiliates.path
    private static let usualDays = 30
    /// As many lines as the page shows; the download has all of them.
    private static let rowLimit = 500

    /// What is asked for.
    private struct Choice {
        let affiliate: Int64?
        let first: CalendarDay
        let last: CalendarDay

        init(_ call: PortalCall) throws {
            func day(_ name: String) throws -> CalendarDay? {
                guard let text = call.query(name) else { return nil }
                guard let day = CalendarDay(text) else {
                    throw ConnectRefusal(
                        .invalid, rule: "day", field: name, "This is no day.",
                        help: "Write it as 2026-01-31.")
                }
                return day
            }
            guard
                let last = try day("to") ?? CalendarDay(of: call.services.clock.now()),
                let first = try day("from")
                    ?? CalendarDay(
                        of: last.beginning.addingTimeInterval(
                            -86_400 * TimeInterval(usualDays - 1)))
            else {
                throw ConnectRefusal(
                    .invalid, rule: "day", field: "from", "No day is before that.",
                    help: "Choose later ones.")
            }
            self.first = first
            self.last = last
            affiliate = call.query("affiliate").flatMap { ProductNumber($0)?.number }
        }

        func link(to path: String) -> String {
            PortalLink(
                path,
                [
                    ("from", first.description), ("to", last.description),
                    ("affiliate", affiliate.map(String.init) ?? ""),
                ]
            ).text
        }
    }

    private static func lines(
        _ choice: Choice, _ call: PortalCall
    ) async throws -> [AffiliateReportLine] {
        try await call.services.affiliates.report(
            of: choice.affiliate, from: choice.first, to: choice.last, by: call.actor)
    }

    static func download(_ call: PortalCall) async throws -> PortalAnswer {
        let choice = try Choice(call)
        let text = AffiliateReport.csv(try await lines(choice, call))
        return .download(
            Data(text.utf8), type: "text/csv; charset=utf-8",
            name: "affiliates-\(choice.first.description)-\(choice.last.description).csv")
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        do {
            let choice = try Choice(call)
            var page = page([form(choice, call), table(try await lines(choice, call))])
            page.actions = [
                .buttonLink(choice.link(to: "\(root)/report.csv"), "Download CSV")
            ]
            return .page(page)
        } catch let refusal as ConnectRefusal where refusal.kind == .invalid {
            return .again(
                page([
                    PortalNotice(.bad, refusal.description, isNews: true).html,
                    .element("p", [], [.link("\(root)/report", "The last \(usualDays) days")]),
                ]))
        }
    }

    private static func page(_ content: [HTML]) -> PortalPage {
        var page = PortalPage("Report of Affiliates", content, in: .affiliates)
        page.lead =
            "Days are those of UTC. A refund takes back what was credited; amounts of different "
            + "currencies are not added."
        page.trail = [.init(PortalSection.affiliates.title, root)]
        return page
    }

    private static func form(_ choice: Choice, _ call: PortalCall) -> HTML {
        func day(_ name: String, _ label: String, _ day: CalendarDay) -> HTML {
            .element(
                "div", class: "filter",
                [
                    .element("label", [.init("for", "report-\(name)")], label),
                    .element(
                        "input",
                        [
                            .init("type", "date"), .init("class", "line"), .init("name", name),
                            .init("id", "report-\(name)"), .init("value", day.description),
                            .init("required"),
                        ]),
                ])
        }
        return .element(
            "form",
            [.init("class", "search"), .init("method", "get"), .init("action", call.path)],
            [
                day("from", "From", choice.first), day("to", "To", choice.last),
                choice.affiliate.map { .hidden("affiliate", String($0)) } ?? .nothing,
                PortalButton("Show").html,
                choice.affiliate == nil
                    ? .nothing : .buttonLink("\(root)/report", "All Affiliates"),
            ])
    }

    private static func table(_ lines: [AffiliateReportLine]) -> HTML {
        .group([
            PortalTable(
                "Report",
                columns: [
                    .init("Day"), .init("Affiliate"), .init("Campaign"),
                    .init("Sales", isNumber: true), .init("Refunds", isNumber: true),
                    .init("Revenue", isNumber: true), .init("Commission", isNumber: true),
                ],
                rows: lines.prefix(rowLimit).map { line in
                    [
                        PortalFormatting.day(line.day.beginning),
                        .link("\(root)/\(line.affiliate.id)", [.foreign(line.affiliate.name)]),
                        line.campaign.isEmpty ? .text("—") : .foreign(line.campaign),
                        .text(String(line.sales)), .text(String(line.refunds)),
                        .text(PortalFormatting.money(line.revenue)),
                        .text(PortalFormatting.money(line.commission)),
                    ]
                }, none: ("Nothing was sold", "No sale of these days came from an affiliate.")
            ).html(),
            lines.count > rowLimit
                ? .element(
                    "p", class: "hint",
                    "The first \(rowLimit) of \(lines.count) lines; the download has all of them.")
                : .nothing,
        ])
    }
}
