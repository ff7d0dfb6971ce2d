import Foundation
import StoreCore
import StoreModel

/// What an in-app purchase costs: the matrix of all territories, and changing it.
enum ProductPricePages {
    private static let pattern = "/products/{id}/prices"

    private static func path(_ record: ProductRecord, _ rest: String = "") -> String {
        ProductTabs.path(record.number, "/prices\(rest)")
    }

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await ProductTabs.record(call)
        let now = call.services.clock.now()
        let prices = record.product.details.prices
        let mayChange = call.actor.allows(.managePrices)
        var page = try await ProductTabs.page(
            "Prices", of: record, current: pattern, call,
            [
                summary(prices, at: now), planned(record, at: now, mayChange, call),
                matrix(record, at: now, mayChange),
            ])
        if mayChange {
            page.actions = [
                .buttonLink(
                    path(record, "/new"), prices.isEmpty ? "Set Price" : "Change Price",
                    isMeant: true)
            ]
        }
        return .page(page)
    }

    private static func base(of prices: PriceSchedule) -> Storefront {
        Storefront.named(prices.baseTerritory) ?? .unitedStates
    }

    private static func summary(_ prices: PriceSchedule, at date: Date) -> HTML {
        guard !prices.isEmpty else {
            return PortalNotice(.warn, "It has no price yet, so nobody can buy it.").html
        }
        let base = base(of: prices)
        let tier = prices.tier(in: base, at: date)
        return PortalPanel(
            "Base",
            [
                PortalFacts([
                    ("Territory", .text("\(base.name) (\(base.currency))")),
                    ("Tier", .text(tier?.name ?? "None: an amount of its own")),
                    (
                        "Price today",
                        .text(
                            prices.price(in: base, at: date).map(PortalFormatting.money) ?? "None")
                    ),
                ]).html,
                .element(
                    "p", class: "hint",
                    "The other territories follow it by the figures of the tier, as far as they "
                        + "have no price of their own."),
            ]
        ).html
    }

    /// Prices of one's own and those that are still to come.
    private static func planned(
        _ record: ProductRecord, at date: Date, _ mayChange: Bool, _ call: PortalCall
    ) -> HTML {
        let prices = record.product.details.prices
        let form = PortalForm(call)
        let rows = prices.entries.filter {
            $0.territory != prices.baseTerritory || ($0.start ?? .distantPast) > date
                || $0.end != nil
        }.filter { $0.end.map { $0 > date } ?? true }
        guard !rows.isEmpty else { return .nothing }
        return PortalPanel(
            "Exceptions and planned changes",
            [
                PortalTable(
                    "Exceptions and planned changes",
                    columns: [
                        .init("Territory"), .init("Price", isNumber: true), .init("From"),
                        .init("Until"), .init("Change"),
                    ],
                    rows: rows.map { entry in
                        let storefront = Storefront.named(entry.territory)
                        let isOwn = entry.territory != prices.baseTerritory
                        return [
                            .text(storefront?.name ?? entry.territory),
                            .text(words(entry, in: storefront)),
                            entry.start.map(PortalFormatting.day) ?? .text("Always"),
                            entry.end.map(PortalFormatting.day) ?? .text("—"),
                            isOwn && mayChange
                                ? form.button(
                                    "Follow base", to: path(record, "/follow"),
                                    [("territory", entry.territory)]) : .nothing,
                        ]
                    },
                    none: ("", "")
                ).html()
            ]
        ).html
    }

    private static func words(_ entry: PriceSchedule.Entry, in storefront: Storefront?) -> String {
        guard let storefront else { return "" }
        switch entry.figure {
        case .tier(let identifier):
            guard let tier = PriceTier.named(identifier) else { return "" }
            return "\(PortalFormatting.money(tier.price(in: storefront))) (\(tier.name))"
        case .amount(let thousandths):
            return PortalFormatting.money(
                Money(thousandths: thousandths, currency: storefront.currency).payable)
        }
    }

    /// All territories with what a customer pays and the publisher gets, today and after the
    /// next change.
    private static func matrix(
        _ record: ProductRecord, at date: Date, _ mayChange: Bool
    ) -> HTML {
        let prices = record.product.details.prices
        guard !prices.isEmpty else { return .nothing }
        let next = prices.nextChange(after: date)
        var columns: [PortalTable.Column] = [
            .init("Territory"), .init("Tier"), .init("Price", isNumber: true),
            .init("Proceeds", isNumber: true),
        ]
        if next != nil { columns.append(.init("After the next change", isNumber: true)) }
        let rows = Storefront.all.sorted { $0.name < $1.name }.map { storefront -> [HTML] in
            let price = prices.price(in: storefront, at: date)
            let isOwn = prices.entry(in: storefront.code, at: date) != nil
            let isSold = record.product.availability.includes(storefront.code)
            let name =
                mayChange
                ? HTML.link(
                    path(record, "/new?territory=\(storefront.code)"), storefront.name)
                : .text(storefront.name)
            var row: [HTML] = [
                .group([name, isSold ? .nothing : .text(" (not available)")]),
                .text(
                    (prices.tier(in: storefront, at: date)?.name ?? "—")
                        + (isOwn && storefront.code != prices.baseTerritory
                            ? ", exception" : "")),
                .text(price.map(PortalFormatting.money) ?? "—"),
                .text(price.map { PortalFormatting.money(Proceeds.ofOne(at: $0)) } ?? "—"),
            ]
            if let next {
                let later = prices.price(in: storefront, at: next)
                row.append(
                    .text(
                        later == price ? "—" : later.map(PortalFormatting.money) ?? "No price"))
            }
            return row
        }
        return PortalPanel(
            "All territories",
            [
                next.map { next in
                    .element(
                        "p", [],
                        [.text("The next change is on "), PortalFormatting.day(next), .text(".")])
                } ?? .nothing,
                PortalTable(
                    "Prices by territory", columns: columns, rows: rows, none: ("", ""),
                    staysTable: true
                ).html(),
                .element(
                    "p", class: "hint",
                    "Proceeds are \(Proceeds.percent) % of the price, rounded half up to the currency’s "
                        + "smallest unit."),
            ]
        ).html
    }

    // MARK: Changing

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await change(call, PortalForm(call)))
    }

    static func set(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            let start = try day(call.form["startDate"])
            let prices = record.product.details.prices
            let services = call.services
            if prices.isEmpty {
                _ = try await services.products.setPrices(
                    PriceSchedule(
                        tier: call.form["tier"], baseTerritory: call.form["territory"]),
                    of: record.number, by: call.actor)
            } else {
                _ = try await services.products.setPrice(
                    tier: call.form["tier"], in: call.form["territory"], from: start,
                    of: record.number, by: call.actor)
            }
            return .redirect(to: path(record), notice: "The price is set.")
        } again: {
            try await change(call, $0)
        }
    }

    /// Midnight (UTC) of a day; nil for none.
    private static func day(_ text: String) throws -> Date? {
        guard !text.isEmpty else { return nil }
        guard let day = CalendarDay(text) else {
            throw ConnectRefusal(
                .invalid, rule: "day", field: "startDate", "This is no day.",
                help: "Write it as 2026-01-31.")
        }
        return day.beginning
    }

    private static func change(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let record = try await ProductTabs.record(call)
        let now = call.services.clock.now()
        let prices = record.product.details.prices
        let base = base(of: prices)
        let wanted = call.query("territory").flatMap(Storefront.named) ?? base
        let isFirst = prices.isEmpty
        let tier = prices.tier(in: wanted, at: now)?.identifier ?? "1"
        var page = try await ProductTabs.page(
            isFirst ? "Set Price" : "Change Price", of: record, current: pattern, call,
            [
                form.html(
                    path(record),
                    [
                        isFirst
                            ? form.select(
                                "territory", "Base territory", PortalOption.territories,
                                chosen: "USA",
                                hint: "The other territories follow it by the figures of its tier.")
                            : form.select(
                                "territory", "Territory", PortalOption.territories,
                                chosen: wanted.code,
                                hint: "\(base.name) is the base: a price for it holds for all "
                                    + "territories without one of their own."),
                        form.select(
                            "tier", "Tier", PortalOption.tiers(in: wanted), chosen: tier,
                            hint: "The figures are those of \(wanted.name).", isRequired: true),
                        isFirst
                            ? .nothing
                            : form.text(
                                "startDate", "From", as: .date,
                                hint: "Leave it empty for at once. A day begins at midnight UTC; "
                                    + "what was planned from then on goes.",
                                [
                                    .init(
                                        "min",
                                        now.formatted(.iso8601.year().month().day()))
                                ]),
                        form.actions("Set", cancel: path(record)),
                    ])
            ])
        page.trail.append(.init("Prices", path(record)))
        page.isNarrow = true
        return page
    }

    static func follow(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await ProductTabs.record(call)
        _ = try await call.services.products.followBase(
            in: call.form["territory"], of: record.number, by: call.actor)
        return .redirect(to: path(record), notice: "The territory follows the base again.")
    }
}
