import Foundation
import StoreCore
import StoreModel

/// Sales and Trends: units, refunds and proceeds of a time, by day, product and territory.
enum SalesPage {
    /// As many products and territories as are shown; the download has all of them.
    private static let rowLimit = 25

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let apps = try await call.services.sales.apps(by: call.actor)
        do {
            let selection = try SalesSelection(call)
            return .page(try await page(call, selection, apps))
        } catch let refusal as ConnectRefusal where refusal.kind == .invalid {
            return .again(
                page(
                    call, SalesSelection(today: call.services.sales.today), apps,
                    [PortalNotice(.bad, refusal.description).html]))
        }
    }

    private static func page(
        _ call: PortalCall, _ selection: SalesSelection, _ apps: [App]
    ) async throws -> PortalPage {
        let sales = call.services.sales
        let days = try await sales.report(try selection.query(.day), by: call.actor)
        let products = try await sales.report(try selection.query(.product), by: call.actor)
        let territories = try await sales.report(try selection.query(.territory), by: call.actor)
        let names = Dictionary(apps.map { ($0.id, $0.name) }) { first, _ in first }
        var page = page(
            call, selection, apps,
            [
                totals(days.total),
                PortalPanel("Units by day", [SalesDayChart(days).html]).html,
                money(days.total),
                ranking(
                    "By product", "Product", products,
                    name: { line in
                        .group([
                            line.key.product == nil
                                ? .foreign(line.key.subject ?? "")
                                : .element("code", line.key.subject ?? ""),
                            apps.count > 1
                                ? .element(
                                    "span", class: "quiet",
                                    [
                                        .text(" "),
                                        .foreign(
                                            line.key.app.flatMap { names[$0] } ?? ""),
                                    ]) : .nothing,
                        ])
                    }),
                ranking(
                    "By territory", "Territory", territories,
                    name: { line in
                        let code = line.key.territory ?? ""
                        return .text(Storefront.named(code)?.name ?? code)
                    }),
                note,
            ])
        page.actions = [
            .buttonLink(
                selection.link(to: "\(PortalSection.sales.path)/report.csv"), "Download CSV")
        ]
        return page
    }

    private static func page(
        _ call: PortalCall, _ selection: SalesSelection, _ apps: [App], _ content: [HTML]
    ) -> PortalPage {
        var page = PortalPage(
            "Sales and Trends", [choice(call, selection, apps)] + content, in: .sales)
        page.lead =
            "Days are in UTC. A unit counts on the day of its purchase, a refund on the day of the "
            + "refund."
        return page
    }

    // MARK: Parts

    /// Time, app and environment, by GET.
    private static func choice(
        _ call: PortalCall, _ selection: SalesSelection, _ apps: [App]
    ) -> HTML {
        func day(_ name: String, _ label: String, _ day: SalesDay) -> HTML {
            .element(
                "div", class: "filter",
                [
                    .element("label", [.init("for", "sales-\(name)")], label),
                    .element(
                        "input",
                        [
                            .init("type", "date"), .init("class", "line"), .init("name", name),
                            .init("id", "sales-\(name)"), .init("value", day.text),
                            .init("required"),
                        ]),
                ])
        }
        func menu(_ name: String, _ label: String, _ options: [(String, HTML, Bool)]) -> HTML {
            .element(
                "div", class: "filter",
                [
                    .element("label", [.init("for", "sales-\(name)")], label),
                    .element(
                        "select", [.init("name", name), .init("id", "sales-\(name)")],
                        options.map { value, title, isChosen in
                            .element(
                                "option",
                                [.init("value", value)] + (isChosen ? [.init("selected")] : []),
                                [title])
                        }),
                ])
        }
        return .element(
            "form",
            [.init("class", "search"), .init("method", "get"), .init("action", call.path)],
            [
                day("from", "From", selection.first), day("to", "To", selection.last),
                menu(
                    "app", "App",
                    [("", .text("All apps"), selection.app == nil)]
                        + apps.map {
                            (String($0.id.number), .text($0.name), $0.id == selection.app)
                        }),
                menu(
                    "environment", "Environment",
                    [
                        ("", .text("Production"), selection.environment == .production),
                        ("sandbox", .text("Sandbox"), selection.environment == .sandbox),
                    ]),
                PortalButton("Show", .primary).html,
            ])
    }

    private static func totals(_ total: SalesTotals) -> HTML {
        func figure(_ name: String, _ values: [String]) -> HTML {
            .element(
                "div", [],
                [.element("dt", name)] + values.map { .element("dd", $0) })
        }
        var shown = [
            figure("Units", [SalesFormatting.count(total.units)]),
            figure("Refunds", [SalesFormatting.count(total.refunds)]),
        ]
        // More currencies than these are told in the table.
        if (1...3).contains(total.currencies.count) {
            shown.append(
                figure(
                    "Proceeds",
                    total.currencies.map {
                        SalesFormatting.money(total.amounts[$0]?.proceeds ?? 0, $0)
                    }))
        }
        return .element("dl", class: "figures", shown)
    }

    private static func money(_ total: SalesTotals) -> HTML {
        PortalPanel(
            "By currency",
            [
                PortalTable(
                    "Amounts by currency",
                    columns: [
                        .init("Currency"), .init("Customers paid", isNumber: true),
                        .init("Given back", isNumber: true), .init("Proceeds", isNumber: true),
                    ],
                    rows: total.currencies.map { currency in
                        let amounts = total.amounts[currency] ?? SalesAmounts()
                        return [
                            .text(currency), .text(SalesFormatting.money(amounts.sales, currency)),
                            .text(SalesFormatting.money(amounts.refunded, currency)),
                            .text(SalesFormatting.money(amounts.proceeds, currency)),
                        ]
                    },
                    none: ("No amounts", "Nobody paid for anything in this time."),
                    staysTable: true
                ).html()
            ]
        ).html
    }

    private static func ranking(
        _ title: String, _ column: String, _ report: SalesReport,
        name: (SalesReport.Line) -> HTML
    ) -> HTML {
        let lines = report.byUnits
        let most = max(1, lines.first?.totals.units ?? 1)
        return PortalPanel(
            title,
            [
                PortalTable(
                    title,
                    columns: [
                        .init(column), .init("Share"), .init("Units", isNumber: true),
                        .init("Refunds", isNumber: true), .init("Proceeds", isNumber: true),
                    ],
                    rows: lines.prefix(rowLimit).map { line in
                        [
                            name(line), SalesBar(line.totals.units, of: most).html,
                            .text(SalesFormatting.count(line.totals.units)),
                            .text(SalesFormatting.count(line.totals.refunds)),
                            .text(SalesFormatting.proceeds(line.totals)),
                        ]
                    },
                    none: ("Nothing sold", "There are no sales in this time."), staysTable: true
                ).html(),
                lines.count > rowLimit
                    ? .element(
                        "p", class: "quiet",
                        "The \(rowLimit) with the most units, of \(lines.count). The download has "
                            + "all of them.") : .nothing,
            ]
        ).html
    }

    private static var note: HTML {
        .element(
            "p", class: "quiet note",
            "Proceeds are \(Proceeds.percent) % of the price that the customer paid, rounded half up "
                + "to the currency's smallest unit for each unit sold, less those of what was given "
                + "back. A refund counts on its day, and one that was reversed counts below zero on the "
                + "day of that. Units that were free, by their price or by an offer code, count as units "
                + "and bring nothing. Amounts of different currencies are not added.")
    }
}

/// Counts and amounts of sales, as English speakers read them.
enum SalesFormatting {
    static func count(_ count: Int64) -> String {
        count.formatted(.number.locale(Locale(identifier: "en_US")))
    }

    static func money(_ thousandths: Int64, _ currency: String) -> String {
        PortalFormatting.money(Money(thousandths: thousandths, currency: currency))
    }

    /// The proceeds of a line, by currency.
    static func proceeds(_ totals: SalesTotals) -> String {
        let currencies = totals.currencies
        guard currencies.count <= 3 else { return "\(currencies.count) currencies" }
        return currencies.isEmpty
            ? "—"
            : currencies.map { money(totals.amounts[$0]?.proceeds ?? 0, $0) }
                .joined(separator: ", ")
    }
}
