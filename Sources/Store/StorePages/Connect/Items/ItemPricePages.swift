import StoreCore
import StoreModel

/// What an item costs: a tier, prices of single storefronts, and the storefronts that sell it.
enum ItemPricePages {
    private static let rest = "/prices"

    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call))
    }

    // MARK: Changing

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let item = try await ItemTabs.item(call)
            let form = call.form
            let chosen = Set(call.form.all("storefronts"))
            guard chosen.allSatisfy({ Storefront.named($0)?.code == $0 }) else {
                throw ConnectRefusal(
                    .invalid, rule: "territoryUnknown", field: "storefronts",
                    "There is no such storefront.", help: "Choose from the list.")
            }
            let isEverywhere = call.form["sold"] != "selected"
            guard isEverywhere || !chosen.isEmpty else {
                throw ConnectRefusal(
                    .invalid, rule: "storefrontsMissing", field: "storefronts",
                    "No storefront is chosen.",
                    help: "Choose one or more, or remove the item from sale.")
            }
            _ = try await call.services.items.change(item.id, by: call.actor) { details in
                details.prices.tier = form["prices"].isEmpty ? nil : form["prices"]
                details.prices.storefronts = isEverywhere ? nil : chosen
                guard isRentable(details.kind) else { return }
                var rental = details.rentalPrices ?? ItemPrices()
                let chosen = form["rentalPrices"]
                rental.tier = chosen == onlyOwn ? nil : chosen
                rental.storefronts = details.prices.storefronts
                details.rentalPrices = chosen.isEmpty ? nil : rental
            }
            return .redirect(to: ItemTabs.path(item.id, rest), notice: "The prices are set.")
        } again: {
            try await page(call, prices: $0)
        }
    }

    static func setOwn(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let item = try await ItemTabs.item(call)
            guard let storefront = Storefront.named(call.form["territory"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "territoryUnknown", field: "territory",
                    "There is no such storefront.", help: "Choose one from the list.")
            }
            let text = call.form["price"].trimmingCharacters(in: .whitespaces)
            let amount = Money.thousandths(text)
            guard text.isEmpty || amount != nil else {
                throw ConnectRefusal(
                    .invalid, rule: "priceForm", field: "price", "This is no amount.",
                    help: "Write one such as 0.99, without a currency.")
            }
            _ = try await call.services.items.change(item.id, by: call.actor) { details in
                details.prices.own[storefront.code] = amount
            }
            return .redirect(
                to: ItemTabs.path(item.id, rest),
                notice: text.isEmpty
                    ? "\(storefront.name) follows the tier again."
                    : "The price in \(storefront.nameInSentence) is set.")
        } again: {
            try await page(call, own: $0)
        }
    }

    /// What the form has in place of a tier for a film that only some storefronts rent out.
    private static let onlyOwn = "own"

    private static func isRentable(_ kind: ItemKind) -> Bool {
        kind == .movie || kind == .shortFilm
    }

    // MARK: The page

    /// - Parameters:
    ///   - prices: the form with the tier, where that was refused.
    ///   - own: the form with a storefront's price, where that was refused.
    private static func page(
        _ call: PortalCall, prices: PortalForm? = nil, own: PortalForm? = nil
    ) async throws -> PortalPage {
        let item = try await ItemTabs.item(call)
        return ItemTabs.page(
            "Prices", of: item, current: rest,
            [
                PortalPanel("Price", [tier(item, prices ?? PortalForm(call))]).html,
                PortalPanel(
                    "Prices of single storefronts",
                    [exceptions(item, call), exception(item, own ?? PortalForm(call))]
                ).html,
                matrix(item),
            ])
    }

    private static func tier(_ item: Item, _ form: PortalForm) -> HTML {
        let prices = item.details.prices
        let hasOwnRental = item.details.rentalPrices?.own.isEmpty == false
        return form.html(
            ItemTabs.path(item.id, rest),
            [
                form.select(
                    "prices", "Tier",
                    [PortalOption("", "None: only the storefronts below have prices")]
                        + PortalOption.tiers(in: .unitedStates), chosen: prices.tier ?? "",
                    hint: "The figures are those of the United States; the others follow."),
                isRentable(item.details.kind)
                    ? form.select(
                        "rentalPrices", "To rent it",
                        [PortalOption("", "It can’t be rented")]
                            + (hasOwnRental
                                ? [
                                    PortalOption(
                                        onlyOwn, "Only storefronts with a price of their own")
                                ]
                                : [])
                            + PortalOption.tiers(in: .unitedStates),
                        chosen: item.details.rentalPrices?.tier ?? (hasOwnRental ? onlyOwn : ""))
                    : .nothing,
                form.radios(
                    "sold", "Sold in",
                    [
                        PortalOption("everywhere", "All storefronts, new ones too"),
                        PortalOption("selected", "Those that are ticked below"),
                    ], chosen: prices.storefronts == nil ? "everywhere" : "selected"),
                .element(
                    "details", class: "templates",
                    [
                        .element("summary", "Storefronts"),
                        form.checkboxes(
                            "storefronts", "Storefronts", PortalOption.territories,
                            chosen: prices.storefronts ?? []),
                    ]),
                form.actions("Save"),
            ])
    }

    private static func exceptions(_ item: Item, _ call: PortalCall) -> HTML {
        let prices = item.details.prices
        return PortalTable(
            "Prices of single storefronts",
            columns: [.init("Storefront"), .init("Price", isNumber: true), .init("Change")],
            rows: prices.own.keys.sorted().compactMap { code -> [HTML]? in
                guard let storefront = Storefront.named(code), let amount = prices.own[code]
                else { return nil }
                return [
                    .text(storefront.name),
                    .text(
                        PortalFormatting.money(
                            Money(thousandths: amount, currency: storefront.currency).payable)),
                    PortalForm(call).button(
                        "Follow the Tier", to: ItemTabs.path(item.id, "\(rest)/own"),
                        [("territory", code), ("price", "")]),
                ]
            }, none: ("None", "All storefronts follow the tier.")
        ).html()
    }

    private static func exception(_ item: Item, _ form: PortalForm) -> HTML {
        form.html(
            ItemTabs.path(item.id, "\(rest)/own"),
            [
                form.select(
                    "territory", "Storefront", PortalOption.territories, chosen: "USA",
                    isRequired: true),
                form.text(
                    "price", "Price",
                    hint: "In the storefront’s currency, such as 0.99; empty to follow the tier.",
                    [.init("inputmode", "decimal")]),
                form.actions("Set", look: .plain),
            ])
    }

    private static func matrix(_ item: Item) -> HTML {
        let rows = Storefront.all.sorted { $0.name < $1.name }.map { storefront -> [HTML] in
            let price = item.details.prices.price(in: storefront)
            return [
                .text(storefront.name),
                .text(price.map(PortalFormatting.money) ?? "Not sold"),
                .text(price.map { PortalFormatting.money(Proceeds.ofOne(at: $0)) } ?? "—"),
            ]
        }
        return PortalPanel(
            "All storefronts",
            [
                PortalTable(
                    "Prices by storefront",
                    columns: [
                        .init("Storefront"), .init("Price", isNumber: true),
                        .init("Proceeds", isNumber: true),
                    ], rows: rows, none: ("", ""), staysTable: true
                ).html()
            ]
        ).html
    }
}
