import StoreCore
import StoreModel

/// The overview of an in-app purchase: what is missing, what it is, and its end.
enum ProductPages {
    private static let pattern = "/products/{id}"

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await overview(call, PortalForm(call)))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            _ = try await call.services.products.update(
                record.number,
                ProductChange(
                    referenceName: call.form["name"],
                    isFamilyShareable: !call.form["familySharable"].isEmpty), by: call.actor)
            return .redirect(to: ProductTabs.path(record.number), notice: "Saved.")
        } again: {
            try await overview(call, $0)
        }
    }

    private static func overview(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let number = try await ProductTabs.record(call).number
        let status = try await call.services.products.saleStatus(of: number, by: call.actor)
        let record = status.record
        var page = try await ProductTabs.page(
            record.summary.referenceName, of: record, current: pattern, call,
            [
                obstacle(status, call), checklist(status), facts(record, call), texts(record),
                call.actor.allows(.manageProducts) ? details(record, form) : .nothing,
            ])
        if call.actor.allows(.manageProducts), ProductRules.table[.delete]?[record.state] != nil {
            page.actions = [
                .buttonLink(ProductTabs.path(record.number, "/delete"), "Delete…")
            ]
        }
        return page
    }

    // MARK: Parts

    /// Why nobody can buy it whatever its own state is, with a link to where that is put right.
    private static func obstacle(_ status: ProductSaleStatus, _ call: PortalCall) -> HTML {
        guard let obstacle = status.obstacle else { return .nothing }
        let agreements = PortalSection.agreements
        let next: HTML =
            agreements.isOpen(to: call.actor)
            ? .link(agreements.path, "See what is missing")
            : .text("Its Account Holder sees what is missing, under Agreements.")
        return PortalNotice(
            .warn, [.element("p", class: "title", obstacle), .element("p", [], [next])]
        ).html
    }

    /// What has to be there before it can be submitted, with links to where it is put right.
    private static func checklist(_ status: ProductSaleStatus) -> HTML {
        let (record, missing) = (status.record, status.missing)
        let sections = MissingItem.Section.allCases.filter {
            $0 != .content || record.product.hostsContent
        }
        let items = sections.map { section in
            let lacks = missing.filter { $0.section == section }
            return PortalChecklist.Item(
                title(section), isDone: lacks.isEmpty, path: path(section, record),
                hint: lacks.isEmpty
                    ? nil : lacks.map(\.sentence).joined(separator: " "))
        }
        return PortalPanel(
            missing.isEmpty
                ? status.obstacle == nil ? "Nothing is missing" : "Nothing is missing for review"
                : "Missing before it can be submitted",
            [PortalChecklist(items).html]
        ).html
    }

    private static func title(_ section: MissingItem.Section) -> String {
        switch section {
        case .texts: "Display name and description"
        case .prices: "Price"
        case .availability: "Availability"
        case .screenshot: "Screenshot for reviewers"
        case .content: "Hosted content"
        }
    }

    private static func path(_ section: MissingItem.Section, _ record: ProductRecord) -> String {
        ProductTabs.path(record.number, "/\(section.rawValue)")
    }

    private static func facts(_ record: ProductRecord, _ call: PortalCall) -> HTML {
        let product = record.product
        let base =
            Storefront.named(product.details.prices.baseTerritory) ?? .unitedStates
        let price = product.details.prices.price(in: base, at: call.services.clock.now())
        let territories = product.availability.territories.count
        var facts: [(name: String, value: HTML)] = [
            ("Product ID", .element("code", record.id.text)),
            ("Apple ID", .text(record.number.description)),
            ("Type", .text(record.summary.type.title)),
            (
                "Price",
                .text(
                    price.map { "\(PortalFormatting.money($0)) in \(base.nameInSentence)" }
                        ?? "None")
            ),
            (
                "Availability",
                .text(PortalFormatting.count(territories, "territory", "territories"))
            ),
            ("Family sharing", .text(record.summary.isFamilyShareable ? "On" : "Off")),
        ]
        if let terms = product.details.subscription {
            facts.append(("Subscription group", .foreign(terms.groupName)))
        }
        if let open = record.openRevision {
            facts.append(("Version \(open.number) of its texts", open.state.badge.html))
        }
        return PortalPanel("At a glance", [PortalFacts(facts).html]).html
    }

    private static func texts(_ record: ProductRecord) -> HTML {
        PortalPanel(
            "Texts", actions: [.link(ProductTabs.path(record.number, "/texts"), "All texts")],
            [ProductTextPages.table(of: record, isEditable: false)]
        ).html
    }

    private static func details(_ record: ProductRecord, _ form: PortalForm) -> HTML {
        PortalPanel(
            "Details",
            [
                form.html(
                    ProductTabs.path(record.number),
                    [
                        form.text(
                            "name", "Reference name", record.summary.referenceName,
                            isRequired: true, limit: 64),
                        form.checkbox(
                            "familySharable", "Families share it",
                            isOn: record.summary.isFamilyShareable),
                        form.actions("Save"),
                    ])
            ]
        ).html
    }

    // MARK: Its end

    static func askDeletion(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await deletion(call, PortalForm(call)))
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            try await call.services.products.delete(record.number, by: call.actor)
            return .redirect(
                to: "/connect/apps/\(record.summary.app.number)/products",
                notice: "\(record.id) is deleted.")
        } again: {
            try await deletion(call, $0)
        }
    }

    private static func deletion(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let record = try await ProductTabs.record(call)
        let path = ProductTabs.path(record.number)
        return PortalConfirmation(
            "Delete “\(record.summary.referenceName)”?",
            [
                "It disappears from lists, and nobody can buy it any longer.",
                "Who owns it goes on to have it.",
                "Its identifier \(record.id) is never given again in this app.",
            ], button: "Delete"
        ).page(form, action: "\(path)/delete", cancel: path, in: .apps)
    }
}
