import Foundation
import StoreCore
import StoreModel

/// Making an item: first its kind, which can't be changed, then what every item has.
enum ItemCreationPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        guard call.actor.team != nil else { return needsTeam }
        guard let kind = call.query("kind").flatMap({ ItemKind(rawValue: $0) }) else {
            return .page(choice)
        }
        return .page(try await page(call, kind, PortalForm(call)))
    }

    /// The store's staff acts for no team that an item could belong to.
    private static let needsTeam = PortalAnswer.redirect(
        to: PortalSection.items.path,
        notice: "An item belongs to a team: switch to the team first.")

    private static var choice: PortalPage {
        var page = PortalPage(
            "New Item",
            [
                .element(
                    "ul", class: "columns",
                    ItemKind.allCases.map { kind in
                        .element(
                            "li", [],
                            [
                                .link(
                                    PortalLink(
                                        "\(PortalSection.items.path)/new",
                                        [("kind", kind.rawValue)]
                                    ).text, kind.title)
                            ])
                    })
            ], in: .items)
        page.lead = "What is it? The kind can’t be changed later."
        page.trail = [.init(PortalSection.items.title, PortalSection.items.path)]
        return page
    }

    static func create(_ call: PortalCall) async throws -> PortalAnswer {
        guard let team = call.actor.team else { return needsTeam }
        guard let kind = ItemKind(rawValue: call.form["kind"]) else { return .again(choice) }
        return try await call.submit {
            let form = call.form
            var details = ItemDetails(
                kind: kind, title: form["title"], genres: [],
                prices: ItemPrices(tier: form["prices"].isEmpty ? nil : form["prices"]),
                primaryLocale: ProductLocale.stored(form["primaryLocale"]) ?? "")
            details.texts[details.primaryLocale]?.description = form["description"]
            try details.takeGenres(form)
            details.parent = try ItemReferences.parent(form["collectionId"])
            details.app = form["app"].isEmpty ? nil : try ItemReferences.app(form["app"])
            let item = try await call.services.items.create(
                details, artist: ItemReferences.artist(form["artist"]),
                id: details.app.map { ItemID(number: $0.number) }, state: .draft,
                of: team, by: call.actor)
            return .redirect(
                to: ItemTabs.path(item.id),
                notice: "The item is made. Customers see it once it is on sale.")
        } again: { form in
            try await page(call, kind, form)
        }
    }

    private static func page(
        _ call: PortalCall, _ kind: ItemKind, _ form: PortalForm
    ) async throws -> PortalPage {
        var apps: [PortalOption] = []
        if kind == .software || kind == .macSoftware {
            apps = try await call.services.apps.apps(
                AppQuery(), PageRequest(limit: 200), by: call.actor
            ).items.map { PortalOption(String($0.app.id.number), $0.app.name) }
        }
        var page = PortalPage(
            "New \(kind.title)",
            [
                form.html(
                    PortalSection.items.path,
                    [
                        .hidden("kind", kind.rawValue),
                        apps.isEmpty
                            ? .nothing
                            : form.select(
                                "app", "App of this store",
                                [PortalOption("", "None: it is sold elsewhere")] + apps,
                                chosen: call.query("app"),
                                hint: "The item has the app’s Apple ID."),
                        form.select(
                            "primaryLocale", "Primary language",
                            ProductLocale.all.map { PortalOption($0.code, $0.name) },
                            chosen: "en-US", isRequired: true),
                        form.text(
                            "title", "Title",
                            apps.first { $0.value == call.query("app") }?.title ?? "",
                            isRequired: true, limit: ItemRules.longestTitle),
                        form.area("description", "Description", rows: 6),
                        ItemReferences.artistField(form, kind, ""),
                        ItemReferences.parentField(form, kind, nil),
                        form.genres(kind, chosen: []),
                        form.select(
                            "prices", "Price",
                            [PortalOption("", "Not sold by itself")]
                                + PortalOption.tiers(in: .unitedStates), chosen: "0",
                            hint: "The figures are those of the United States; the other "
                                + "storefronts follow. Single ones can be changed later."),
                        form.actions("Create", cancel: PortalSection.items.path),
                    ])
            ], in: .items)
        page.trail = [.init(PortalSection.items.title, PortalSection.items.path)]
        page.isNarrow = true
        return page
    }
}

/// What an item refers to, as forms name it.
enum ItemReferences {
    static func artistField(_ form: PortalForm, _ kind: ItemKind, _ name: String) -> HTML {
        form.text(
            "artist", ArtistType(makerOf: kind).title, name,
            hint: "Who made it. A name that your team has not used yet becomes a page of its own.",
            limit: ItemRules.longestTitle)
    }

    static func parentField(_ form: PortalForm, _ kind: ItemKind, _ parent: ItemID?) -> HTML {
        guard let whole = kind.parentKind else { return .nothing }
        return form.text(
            "collectionId", "\(whole.title) that it is a part of", parent?.description ?? "",
            as: .number, hint: "Its Apple ID, as the list of items shows it.")
    }

    static func parent(_ typed: String) throws -> ItemID? {
        let text = typed.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { return nil }
        guard let id = ItemID(text) else {
            throw ConnectRefusal(
                .invalid, rule: "parentUnknown", field: "collectionId",
                "This is no number of an item.",
                help: "Write the number that the list of items shows, or nothing.")
        }
        return id
    }

    static func app(_ typed: String) throws -> AppID {
        guard let number = ItemID(typed)?.number else {
            throw ConnectRefusal(
                .invalid, rule: "appUnknown", field: "app", "There is no such app.",
                help: "Choose one from the list.")
        }
        return AppID(number: number)
    }

    /// The name of an artist; nil for none.
    static func artist(_ typed: String) -> String? {
        let name = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        return name.isEmpty ? nil : name
    }
}

extension ArtistType {
    /// What people call it.
    fileprivate var title: String {
        switch self {
        case .artist: "Artist"
        case .movieArtist: "Director or studio"
        case .author: "Author"
        case .softwareArtist: "Developer"
        case .podcastArtist: "Maker"
        case .televisionShow: "Show"
        }
    }
}
