import StoreCore
import StoreModel

/// An item: what it is, and the form that changes everything but texts, prices and media.
enum ItemDetailPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, PortalForm(call)))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let item = try await ItemTabs.item(call)
            let form = call.form
            let parent = try ItemReferences.parent(form["collectionId"])
            let artist = ItemReferences.artist(form["artist"])
            _ = try await call.services.items.change(
                item.id, artist: artist, by: call.actor
            ) { details in
                try take(form, into: &details)
                details.parent = parent
                if artist == nil { details.artist = nil }
            }
            return .redirect(to: ItemTabs.path(item.id), notice: "Saved.")
        } again: {
            try await page(call, $0)
        }
    }

    /// Takes over the fields of the form that are the item's own.
    private static func take(_ form: FormFields, into details: inout ItemDetails) throws {
        try details.takeGenres(form)
        try details.take(form)
        details.explicitness =
            Explicitness(rawValue: form["explicitness"]) ?? details.explicitness
        if let locale = ProductLocale.stored(form["primaryLocale"]) {
            details.primaryLocale = locale
        }
    }

    private static func page(_ call: PortalCall, _ form: PortalForm) async throws -> PortalPage {
        let item = try await ItemTabs.item(call)
        let details = item.details
        var artist: Artist?
        if let id = details.artist {
            artist = try await call.services.items.artist(id, by: call.actor)
        }
        let fields = ItemField.fields(of: details.kind)
        var page = ItemTabs.page(
            item.title, of: item, current: "",
            [
                takenDown(item),
                missing(
                    item, try await call.services.itemMedia.media(of: item.id, by: call.actor),
                    try await call.services.items.obstacle(of: item.id, by: call.actor)),
                facts(item, call),
                PortalPanel(
                    "What is known about it",
                    [
                        form.html(
                            ItemTabs.path(item.id),
                            [
                                ItemReferences.artistField(
                                    form, details.kind, artist?.name ?? ""),
                                ItemReferences.parentField(form, details.kind, details.parent),
                                form.genres(details.kind, chosen: details.genres),
                                form.explicitness(details.explicitness),
                                form.select(
                                    "primaryLocale", "Primary language", locales(details),
                                    chosen: ProductLocale.code(of: details.primaryLocale),
                                    hint: "The language of the texts that customers read if "
                                        + "there are none in their own."),
                            ] + fields.map { form.item($0, of: details) }
                                + [form.actions("Save")])
                    ]
                ).html,
            ])
        page.actions = ItemStatePages.links(item, for: call.actor)
        return page
    }

    private static func locales(_ details: ItemDetails) -> [PortalOption] {
        details.texts.keys.sorted().map {
            PortalOption(ProductLocale.code(of: $0), ProductLocale.name(of: $0))
        }
    }

    /// What its publisher reads whose item the store's staff took from sale.
    private static func takenDown(_ item: Item) -> HTML {
        guard item.takenDown != nil else { return .nothing }
        return PortalNotice(
            .bad,
            "The store took it from sale. Its publisher can’t put it back: ask the store’s operator."
        ).html
    }

    /// What customers will miss.
    private static func missing(
        _ item: Item, _ media: [ItemMedia], _ obstacle: ItemSaleObstacle?
    ) -> HTML {
        let details = item.details
        let text = details.text(locale: details.primaryLocale)
        var list: [PortalChecklist.Item] = [
            .init(
                "Artwork", isDone: media.contains { $0.kind == .artwork },
                path: ItemTabs.path(item.id, "/media"),
                hint: "Without one, pages show the icon of its kind."),
            .init(
                "Description", isDone: !text.description.isEmpty,
                path: ItemTabs.path(item.id, "/texts")),
            .init(
                "Price", isDone: !details.prices.soldIn.isEmpty,
                path: ItemTabs.path(item.id, "/prices"),
                hint: "Without one, customers can see it but can’t buy it."),
        ]
        if let obstacle {
            list.append(
                .init(
                    obstacle.title, isDone: false, path: obstacle.path(for: item.id),
                    hint: obstacle.refusal(of: item.id).problem + " Nobody can buy it until then."
                ))
        }
        guard item.state != .onSale || list.contains(where: { !$0.isDone }) else {
            return .nothing
        }
        return PortalPanel("Before customers see it", [PortalChecklist(list).html]).html
    }

    private static func facts(_ item: Item, _ call: PortalCall) -> HTML {
        let sold = item.details.prices.soldIn.count
        var facts: [(name: String, value: HTML)] = [
            ("Apple ID", .text(item.id.description)),
            ("Price", .text(item.details.prices.words)),
            (
                "Sold in",
                .text(
                    PortalFormatting.count(sold, "storefront", "storefronts")
                        + " of \(Storefront.all.count)")
            ),
            ("Made", PortalFormatting.day(item.created)),
            ("Changed", PortalFormatting.time(item.changed)),
        ]
        if let date = item.takenDown { facts.append(("Taken down", PortalFormatting.time(date))) }
        if item.state == .onSale, let address = publicPage(item, call) {
            facts.append(("In the store", .link(address, "Open its page")))
        }
        return PortalFacts(facts).html
    }

    /// Its page for customers: in the United States, or in the first storefront that shows it.
    private static func publicPage(_ item: Item, _ call: PortalCall) -> String? {
        let shown = ([.unitedStates] + Storefront.all).first {
            item.details.prices.isShown(in: $0)
        }
        return shown.map {
            StorefrontLinks(base: call.storeAddress).page(of: item, title: item.title, in: $0)
        }
    }
}
