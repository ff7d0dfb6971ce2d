import Foundation
import StoreCore
import StoreModel

extension PortalRouteTable {
    /// Who may fetch the partner feed.
    static let feedPartners: [PortalRoute] = [
        .get("/feed-partners", .managePartners, FeedPartnerPages.list),
        .get("/feed-partners/new", .managePartners, FeedPartnerPages.new),
        .post("/feed-partners/new", .managePartners, FeedPartnerPages.create),
        .get("/feed-partners/{id}", .managePartners, FeedPartnerPages.show),
        .post("/feed-partners/{id}", .managePartners, FeedPartnerPages.change),
        .post("/feed-partners/{id}/password", .managePartners, FeedPartnerPages.renew),
    ]
}

/// Partners of the feed: the list, approving one, changing one.
enum FeedPartnerPages {
    private static let root = PortalSection.feedPartners.path
    private static let crumb = PortalPage.Crumb(PortalSection.feedPartners.title, root)

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let found = try await call.services.feedPartners.page(
            PageRequest(limit: PortalPaging.size, cursor: call.query("page")), by: call.actor)
        var page = PortalPage(
            PortalSection.feedPartners.title,
            [
                PortalTable(
                    PortalSection.feedPartners.title,
                    columns: [
                        .init("Name"), .init("User name"), .init("Approved"), .init("Last used"),
                        .init("State"),
                    ],
                    rows: found.items.map { partner in
                        [
                            .link("\(root)/\(partner.id)", [.foreign(partner.name)]),
                            .element("code", partner.userName),
                            PortalFormatting.day(partner.created),
                            partner.lastUse.map(PortalFormatting.time) ?? .text("Never"),
                            badge(partner).html,
                        ]
                    },
                    none: (
                        "No partners yet",
                        "A partner fetches the whole catalog as files, each week and each day."
                    )
                ).html(),
                PortalCursorPaging(
                    total: found.total, shown: found.items.count,
                    isFirst: call.query("page") == nil, next: found.next
                ).html(call),
            ], in: .feedPartners)
        page.lead = "They fetch \(call.storeAddress)/feeds/epf/v5/ with user name and password."
        page.actions = [.buttonLink("\(root)/new", "New Partner", isMeant: true)]
        return .page(page)
    }

    private static func badge(_ partner: FeedPartner) -> PortalBadge {
        partner.isActive ? PortalBadge("Approved", .good) : PortalBadge("Refused", .bad)
    }

    // MARK: Making

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(creation(PortalForm(call)))
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let userName = call.form["userName"].trimmingCharacters(in: .whitespaces)
            let made = try await call.services.feedPartners.create(
                name: call.form["name"], userName: userName.isEmpty ? nil : userName,
                by: call.actor)
            return .page(secret(made.partner, made.password))
        } again: { form in
            creation(form)
        }
    }

    private static func creation(_ form: PortalForm) -> PortalPage {
        var page = PortalPage(
            "New Partner",
            [
                form.html(
                    "\(root)/new",
                    [
                        form.text("name", "Name", isRequired: true),
                        form.text(
                            "userName", "User name",
                            hint: "The store makes one where it is empty. It can’t be changed.",
                            [.init("autocapitalize", "none"), .init("autocomplete", "off")]),
                        form.actions("Approve", cancel: root),
                    ])
            ], in: .feedPartners)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }

    /// The password, which is shown this once.
    private static func secret(_ partner: FeedPartner, _ password: String) -> PortalPage {
        var page = PortalPage(
            "Keep This Password",
            [
                PortalFacts([
                    ("Partner", .foreign(partner.name)),
                    ("User name", .element("code", partner.userName)),
                ]).html,
                PortalSecret("Password", password).html,
                .element("p", [], [.link(root, "Done")]),
            ], in: .feedPartners)
        page.trail = [crumb]
        page.isNarrow = true
        return page
    }

    // MARK: One

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, PortalForm(call)))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let partner = try await partner(call)
            _ = try await call.services.feedPartners.change(
                partner.id, name: call.form["name"], isActive: !call.form["active"].isEmpty,
                by: call.actor)
            return .redirect(to: "\(root)/\(partner.id)", notice: "Saved.")
        } again: {
            try await page(call, $0)
        }
    }

    static func renew(_ call: PortalCall) async throws -> PortalAnswer {
        let partner = try await partner(call)
        let made = try await call.services.feedPartners.renewPassword(
            of: partner.id, by: call.actor)
        return .page(secret(made.partner, made.password))
    }

    private static func partner(_ call: PortalCall) async throws -> FeedPartner {
        guard let id = ProductNumber(call.id)?.number else {
            throw ConnectRefusal.notFound("feed partner", String(call.id.prefix(40)))
        }
        return try await call.services.feedPartners.partner(id, by: call.actor)
    }

    private static func page(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage {
        let partner = try await partner(call)
        var page = PortalPage(
            partner.name,
            [
                PortalFacts([
                    ("User name", .element("code", partner.userName)),
                    ("Approved", PortalFormatting.day(partner.created)),
                    ("Last used", partner.lastUse.map(PortalFormatting.time) ?? .text("Never")),
                ]).html,
                PortalPanel(
                    "Settings",
                    [
                        form.html(
                            "\(root)/\(partner.id)",
                            [
                                form.text("name", "Name", partner.name, isRequired: true),
                                form.checkbox(
                                    "active", "May fetch the feed", isOn: partner.isActive),
                                form.actions("Save"),
                            ])
                    ]
                ).html,
                PortalPanel(
                    "Password",
                    [
                        .element("p", "The store has no copy of it, and can make another one."),
                        PortalForm(call).button(
                            "Make Another Password", to: "\(root)/\(partner.id)/password",
                            question: "The password that \(partner.name) has is refused from then "
                                + "on. Make another one?"),
                    ]
                ).html,
            ], in: .feedPartners)
        page.kind = "Feed partner"
        page.badge = badge(partner).html
        page.trail = [crumb]
        return page
    }
}
