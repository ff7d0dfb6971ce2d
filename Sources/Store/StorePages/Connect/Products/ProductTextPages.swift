import StoreCore
import StoreModel

/// The texts of an in-app purchase, language by language.
enum ProductTextPages {
    private static let pattern = "/products/{id}/texts"

    private static func path(_ record: ProductRecord, _ rest: String = "") -> String {
        ProductTabs.path(record.number, "/texts\(rest)")
    }

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let record = try await ProductTabs.record(call)
        let mayEdit = call.actor.allows(.manageProducts)
        var page = try await ProductTabs.page(
            "Texts", of: record, current: pattern, call,
            [notice(record), table(of: record, isEditable: mayEdit), history(record, call)])
        if mayEdit, record.product.details.texts.count < ProductLocale.all.count {
            page.actions = [.buttonLink(path(record, "/new"), "Add Language", isMeant: true)]
        }
        return .page(page)
    }

    /// Says that customers still read other texts.
    private static func notice(_ record: ProductRecord) -> HTML {
        guard record.product.approvedTexts != nil, let open = record.openRevision else {
            return .nothing
        }
        return PortalNotice(
            .plain,
            "Version \(open.number) is being worked on: customers read the approved version until "
                + "it is approved too, testers this one."
        ).html
    }

    private static func history(_ record: ProductRecord, _ call: PortalCall) -> HTML {
        guard let onSale = record.revisionOnSale, record.openRevision != nil else {
            return .nothing
        }
        let old = onSale.texts
        let new = record.product.details.texts
        let locales = Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }
        guard !locales.isEmpty else { return .nothing }
        return PortalPanel(
            "Changes to the approved version",
            [
                PortalDiff(
                    locales.map { locale in
                        PortalDiff.Change(
                            ProductLocale.name(of: locale), old: old[locale].map(words),
                            new: new[locale].map(words))
                    }
                ).html
            ]
        ).html
    }

    private static func words(_ text: ProductText) -> String {
        "\(text.title) — \(text.description)"
    }

    static func table(of record: ProductRecord, isEditable: Bool) -> HTML {
        PortalTable(
            "Texts",
            columns: [
                .init("Language"), .init("Display name"), .init("Description"), .init("State"),
            ],
            rows: record.product.details.texts.sorted {
                ProductLocale.name(of: $0.key) < ProductLocale.name(of: $1.key)
            }.map { locale, text in
                let name = ProductLocale.name(of: locale)
                return [
                    isEditable
                        ? .link(path(record, "/\(ProductLocale.code(of: locale))"), name)
                        : .text(name),
                    .foreign(text.title, locale: locale),
                    .foreign(text.description, locale: locale),
                    record.textState(locale).badge.html,
                ]
            },
            none: ("No texts yet", "Customers read a display name and a description.")
        ).html()
    }

    // MARK: Adding

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await addition(call, PortalForm(call)))
    }

    static func add(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            _ = try await call.services.products.addText(
                ProductText(title: call.form["name"], description: call.form["description"]),
                locale: call.form["locale"], to: record.number, by: call.actor)
            return .redirect(to: path(record), notice: "The texts are added.")
        } again: {
            try await addition(call, $0)
        }
    }

    private static func addition(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let record = try await ProductTabs.record(call)
        let known = record.product.details.texts
        let free = ProductLocale.all.filter { locale in
            ProductLocale.stored(locale.code).map { known[$0] == nil } ?? false
        }
        let usual = free.contains { $0.code == "en-US" } ? "en-US" : free.first?.code
        return try await edition(
            "Add Language", record, call,
            form.html(
                path(record),
                [
                    form.select(
                        "locale", "Language", free.map { PortalOption($0.code, $0.name) },
                        chosen: usual, isRequired: true)
                ] + fields(form, nil) + [form.actions("Add", cancel: path(record))]))
    }

    private static func fields(_ form: PortalForm, _ text: ProductText?) -> [HTML] {
        [
            form.text(
                "name", "Display name", text?.title ?? "", hint: "2 to 30 characters.",
                isRequired: true, limit: 30),
            form.area(
                "description", "Description", text?.description ?? "",
                hint: "Up to 255 characters; where space is small, the first 45 are seen.",
                isRequired: true, limit: 255, rows: 3),
        ]
    }

    private static func edition(
        _ title: String, _ record: ProductRecord, _ call: PortalCall, _ form: HTML
    ) async throws -> PortalPage {
        var page = try await ProductTabs.page(
            title, of: record, current: pattern, call, [form])
        page.trail.append(.init("Texts", path(record)))
        page.isNarrow = true
        return page
    }

    // MARK: Changing

    /// The language in the path, as the store keeps it.
    private static func locale(_ call: PortalCall, of record: ProductRecord) throws -> String {
        let code = call.parameter(1)
        let locale = record.product.details.texts.keys.first { ProductLocale.code(of: $0) == code }
        guard let locale else { throw ConnectRefusal.notFound("language", code) }
        return locale
    }

    static func edit(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await editing(call, PortalForm(call)))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            _ = try await call.services.products.updateText(
                title: call.form["name"], description: call.form["description"],
                locale: locale(call, of: record), of: record.number, by: call.actor)
            return .redirect(to: path(record), notice: "Saved.")
        } again: {
            try await editing(call, $0)
        }
    }

    private static func editing(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let record = try await ProductTabs.record(call)
        let locale = try locale(call, of: record)
        let own = path(record, "/\(ProductLocale.code(of: locale))")
        var page = try await edition(
            ProductLocale.name(of: locale), record, call,
            form.html(
                own,
                fields(form, record.product.details.texts[locale])
                    + [form.actions("Save", cancel: path(record))]))
        page.actions = [.buttonLink("\(own)/delete", "Remove Language…")]
        return page
    }

    static func ask(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await deletion(call, PortalForm(call)))
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let record = try await ProductTabs.record(call)
            let locale = try locale(call, of: record)
            _ = try await call.services.products.deleteText(
                locale: locale, of: record.number, by: call.actor)
            return .redirect(
                to: path(record), notice: "\(ProductLocale.name(of: locale)) is removed.")
        } again: {
            try await deletion(call, $0)
        }
    }

    private static func deletion(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let record = try await ProductTabs.record(call)
        let locale = try locale(call, of: record)
        return PortalConfirmation(
            "Remove \(ProductLocale.name(of: locale))?",
            ["Customers of that language read another one’s texts."], button: "Remove"
        ).page(
            form, action: path(record, "/\(ProductLocale.code(of: locale))/delete"),
            cancel: path(record), in: .apps)
    }
}
