import Foundation
import StoreCore
import StoreModel

extension PortalRouteTable {
    /// Who earns a share of the sales that come from their links.
    static let affiliates: [PortalRoute] = [
        .get("/affiliates", .manageAffiliates, AffiliatePages.list),
        .get("/affiliates/new", .manageAffiliates, AffiliatePages.new),
        .post("/affiliates/new", .manageAffiliates, AffiliatePages.create),
        .get("/affiliates/report", .manageAffiliates, AffiliateReportPage.show),
        .get("/affiliates/report.csv", .manageAffiliates, AffiliateReportPage.download),
        .get("/affiliates/{id}", .manageAffiliates, AffiliatePages.show),
        .post("/affiliates/{id}", .manageAffiliates, AffiliatePages.change),
    ]
}

/// Affiliates: the list, making one, changing one.
enum AffiliatePages {
    private static let root = PortalSection.affiliates.path
    private static let crumb = PortalPage.Crumb(PortalSection.affiliates.title, root)

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let found = try await call.services.affiliates.page(
            PageRequest(limit: PortalPaging.size, cursor: call.query("page")), by: call.actor)
        var page = PortalPage(
            PortalSection.affiliates.title,
            [
                PortalTable(
                    PortalSection.affiliates.title,
                    columns: [
                        .init("Name"), .init("Token"), .init("Share", isNumber: true),
                        .init("Made on"), .init("State"),
                    ],
                    rows: found.items.map { affiliate in
                        [
                            .link("\(root)/\(affiliate.id)", [.foreign(affiliate.name)]),
                            .element("code", affiliate.token),
                            .text(percent(affiliate.basisPoints)),
                            PortalFormatting.day(affiliate.created), badge(affiliate).html,
                        ]
                    },
                    none: (
                        "No affiliates yet",
                        "Who sends customers with links can earn a share of what they buy."
                    )
                ).html(),
                PortalCursorPaging(
                    total: found.total, shown: found.items.count,
                    isFirst: call.query("page") == nil, next: found.next
                ).html(call),
            ], in: .affiliates)
        page.lead = "A link with at= and an affiliate’s token credits the sales that follow it."
        page.actions = [
            .buttonLink("\(root)/report", "Report"),
            .buttonLink("\(root)/new", "New Affiliate", isMeant: true),
        ]
        return .page(page)
    }

    static func percent(_ basisPoints: Int) -> String {
        "\(Decimal(basisPoints) / 100) %"
    }

    private static func badge(_ affiliate: Affiliate) -> PortalBadge {
        affiliate.isActive ? PortalBadge("Active", .good) : PortalBadge("Not credited", .plain)
    }

    // MARK: Making

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(creation(PortalForm(call)))
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let token = call.form["token"].trimmingCharacters(in: .whitespaces)
            let affiliate = try await call.services.affiliates.create(
                name: call.form["name"], email: call.form["email"],
                basisPoints: try share(call.form), token: token.isEmpty ? nil : token,
                by: call.actor)
            return .redirect(
                to: "\(root)/\(affiliate.id)",
                notice: "Links with at=\(affiliate.token) are credited from now on.")
        } again: { form in
            creation(form)
        }
    }

    private static func creation(_ form: PortalForm) -> PortalPage {
        var page = PortalPage(
            "New Affiliate",
            [
                form.html(
                    "\(root)/new",
                    fields(form, nil) + [
                        form.text(
                            "token", "Token",
                            hint: "4 to 20 letters and digits, which stand in links for good; the "
                                + "store makes one where it is empty.",
                            limit: 20, [.init("autocapitalize", "none")]),
                        form.actions("Create", cancel: root),
                    ])
            ], in: .affiliates)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }

    private static func fields(_ form: PortalForm, _ affiliate: Affiliate?) -> [HTML] {
        [
            form.text(
                "name", "Name", affiliate?.name ?? "", isRequired: true,
                limit: AffiliateRules.nameLength),
            form.text(
                "email", "Email", affiliate?.email ?? "", as: .email, isRequired: true),
            form.text(
                "basisPoints", "Share in percent",
                affiliate.map { "\(Decimal($0.basisPoints) / 100)" } ?? "5",
                hint: "Of what customers pay, for example 5 or 2.5.", isRequired: true,
                [.init("inputmode", "decimal")]),
        ]
    }

    /// The share in hundredths of a percent.
    private static func share(_ form: FormFields) throws -> Int {
        let text = form["basisPoints"].trimmingCharacters(in: .whitespaces)
        // Thousandths of a percent that are whole hundredths.
        guard let thousandths = Money.thousandths(text), thousandths % 10 == 0,
            thousandths <= 100_000
        else {
            throw ConnectRefusal(
                .invalid, rule: "shareForm", field: "basisPoints",
                "This is no share that the store can pay.",
                help: "Write percent from 0 to 100 with two decimals at most, such as 2.5.")
        }
        return Int(thousandths / 10)
    }

    // MARK: One

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, PortalForm(call)))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let affiliate = try await affiliate(call)
            _ = try await call.services.affiliates.change(
                affiliate.id, name: call.form["name"], email: call.form["email"],
                basisPoints: try share(call.form), isActive: !call.form["active"].isEmpty,
                by: call.actor)
            return .redirect(to: "\(root)/\(affiliate.id)", notice: "Saved.")
        } again: {
            try await page(call, $0)
        }
    }

    private static func affiliate(_ call: PortalCall) async throws -> Affiliate {
        guard let id = ProductNumber(call.id)?.number else {
            throw ConnectRefusal.notFound("affiliate", String(call.id.prefix(40)))
        }
        return try await call.services.affiliates.affiliate(id, by: call.actor)
    }

    private static func page(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage {
        let affiliate = try await affiliate(call)
        let example = "\(call.storeAddress)/us?at=\(affiliate.token)&ct=newsletter"
        var page = PortalPage(
            affiliate.name,
            [
                PortalFacts([
                    ("Token", .element("code", affiliate.token)),
                    ("A link", .element("code", example)),
                    ("Made on", PortalFormatting.day(affiliate.created)),
                ]).html,
                PortalPanel(
                    "Settings",
                    [
                        form.html(
                            "\(root)/\(affiliate.id)",
                            fields(form, affiliate) + [
                                form.checkbox(
                                    "active", "Sales are credited", isOn: affiliate.isActive,
                                    hint: "What was credited before stays."),
                                form.actions("Save"),
                            ])
                    ]
                ).html,
            ], in: .affiliates)
        page.kind = "Affiliate"
        page.badge = badge(affiliate).html
        page.trail = [crumb]
        page.actions = [
            .buttonLink(
                PortalLink("\(root)/report", [("affiliate", String(affiliate.id))]).text, "Report")
        ]
        return page
    }
}
