import StoreCore
import StoreModel

/// The texts of an item, language by language.
enum ItemTextPages {
    private static let rest = "/texts"

    private static func path(_ item: Item, _ more: String = "") -> String {
        ItemTabs.path(item.id, rest + more)
    }

    static func list(_ call: PortalCall) async throws -> PortalAnswer {
        let item = try await ItemTabs.item(call)
        let table = PortalTable(
            "Texts",
            columns: [.init("Language"), .init("Title"), .init("Subtitle"), .init("Description")],
            rows: item.details.texts.sorted { $0.key < $1.key }.map { locale, text in
                [
                    .group([
                        .link(
                            path(item, "/\(ProductLocale.code(of: locale))"),
                            ProductLocale.name(of: locale)),
                        locale == item.details.primaryLocale
                            ? .element("span", class: "quiet under", "Primary") : .nothing,
                    ]),
                    .foreign(text.title, locale: locale),
                    .foreign(text.subtitle, locale: locale),
                    .foreign(
                        text.description.count > 160
                            ? text.description.prefix(160) + "…" : text.description,
                        locale: locale),
                ]
            }, none: ("No texts", ""))
        var page = ItemTabs.page("Texts", of: item, current: rest, [table.html()])
        page.actions = [.buttonLink(path(item, "/new"), "Add Language", isMeant: true)]
        return .page(page)
    }

    // MARK: Adding

    static func new(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await addition(call, PortalForm(call)))
    }

    static func add(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let item = try await ItemTabs.item(call)
            guard let locale = ProductLocale.stored(call.form["locale"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "localeUnknown", field: "locale", "No language is chosen.",
                    help: "Choose one from the list.")
            }
            guard item.details.texts[locale] == nil else {
                throw ConnectRefusal(
                    .taken, rule: "textTwice", field: "locale",
                    "There are texts in \(ProductLocale.name(of: locale)) already.",
                    help: "Change those, or choose another language.")
            }
            try await set(text(call.form), locale, of: item, call)
            return .redirect(to: path(item), notice: "The texts are added.")
        } again: {
            try await addition(call, $0)
        }
    }

    private static func addition(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let item = try await ItemTabs.item(call)
        let free = ProductLocale.all.filter { locale in
            ProductLocale.stored(locale.code).map { item.details.texts[$0] == nil } ?? false
        }
        return edition(
            "Add Language", item,
            form.html(
                path(item),
                [
                    form.select(
                        "locale", "Language", free.map { PortalOption($0.code, $0.name) },
                        isRequired: true)
                ] + fields(form, nil) + [form.actions("Add", cancel: path(item))]))
    }

    // MARK: Changing

    static func edit(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await editing(call, PortalForm(call)))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let item = try await ItemTabs.item(call)
            try await set(text(call.form), locale(call, of: item), of: item, call)
            return .redirect(to: path(item), notice: "Saved.")
        } again: {
            try await editing(call, $0)
        }
    }

    static func delete(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let item = try await ItemTabs.item(call)
            let locale = try locale(call, of: item)
            guard locale != item.details.primaryLocale else {
                throw ConnectRefusal(
                    .state, rule: "primaryText", field: nil,
                    "These are the texts of the primary language.",
                    help: "Make another language the primary one first.")
            }
            try await set(nil, locale, of: item, call)
            return .redirect(
                to: path(item), notice: "\(ProductLocale.name(of: locale)) is removed.")
        } again: {
            try await editing(call, $0)
        }
    }

    private static func editing(
        _ call: PortalCall, _ form: PortalForm
    ) async throws -> PortalPage {
        let item = try await ItemTabs.item(call)
        let locale = try locale(call, of: item)
        let own = path(item, "/\(ProductLocale.code(of: locale))")
        var page = edition(
            ProductLocale.name(of: locale), item,
            form.html(
                own,
                fields(form, item.details.texts[locale])
                    + [form.actions("Save", cancel: path(item))]))
        if locale != item.details.primaryLocale {
            page.actions = [
                PortalForm(call).button(
                    "Remove Language", to: "\(own)/delete",
                    question: "Remove the texts in \(ProductLocale.name(of: locale))?")
            ]
        }
        return page
    }

    // MARK: Parts

    /// The language in the path, as the store keeps it.
    private static func locale(_ call: PortalCall, of item: Item) throws -> String {
        let code = call.parameter(1)
        let locale = item.details.texts.keys.first { ProductLocale.code(of: $0) == code }
        guard let locale else {
            throw ConnectRefusal.notFound("language", String(code.prefix(40)))
        }
        return locale
    }

    private static func set(
        _ text: ItemText?, _ locale: String, of item: Item, _ call: PortalCall
    ) async throws {
        _ = try await call.services.items.change(item.id, by: call.actor) { details in
            details.texts[locale] = text
        }
    }

    private static func text(_ form: FormFields) -> ItemText {
        ItemText(
            title: form["title"], subtitle: form["subtitle"], description: form["description"],
            shortDescription: form["shortDescription"], releaseNotes: form["releaseNotes"])
    }

    private static func fields(_ form: PortalForm, _ text: ItemText?) -> [HTML] {
        [
            form.text("title", "Title", text?.title ?? "", isRequired: true),
            form.text(
                "subtitle", "Subtitle", text?.subtitle ?? "", hint: "A line below the title."),
            form.area("description", "Description", text?.description ?? "", rows: 10),
            form.text(
                "shortDescription", "Short description", text?.shortDescription ?? "",
                hint: "A sentence, where room is short."),
            form.area(
                "releaseNotes", "What is new", text?.releaseNotes ?? "",
                hint: "In this version.", rows: 4),
        ]
    }

    private static func edition(_ title: String, _ item: Item, _ form: HTML) -> PortalPage {
        var page = ItemTabs.page(title, of: item, current: rest, [form])
        page.trail.append(.init("Texts", path(item)))
        page.isNarrow = true
        return page
    }
}
