import StoreCore

/// Putting an item on sale, and taking it away: asked first, then done.
enum ItemStatePages {
    /// The links of an item's page that lead to the questions.
    static func links(_ item: Item, for actor: ConnectActor) -> [HTML] {
        func link(_ state: ItemState, _ title: String, isMeant: Bool = false) -> HTML {
            .buttonLink(
                PortalLink(ItemTabs.path(item.id, "/state"), [("to", state.rawValue)]).text, title,
                isMeant: isMeant)
        }
        let isStaff = actor.allows(.operate)
        var links: [HTML] = []
        switch item.state {
        case .draft: links = [link(.onSale, "Put on Sale…", isMeant: true)]
        case .onSale where !isStaff: links = [link(.removed, "Remove from Sale…")]
        case .removed where isStaff || item.takenDown == nil:
            links = [link(.onSale, "Put Back on Sale…", isMeant: true)]
        case .onSale, .removed: break
        }
        if isStaff, item.takenDown == nil { links.append(link(.removed, "Take Down…")) }
        return links
    }

    static func ask(_ call: PortalCall) async throws -> PortalAnswer {
        .page(try await page(call, PortalForm(call), to: call.query("to") ?? ""))
    }

    static func change(_ call: PortalCall) async throws -> PortalAnswer {
        try await call.submit {
            let item = try await ItemTabs.item(call)
            guard let state = ItemState(rawValue: call.form["state"]) else {
                throw ConnectRefusal(
                    .invalid, rule: "stateUnknown", field: "state", "No state is chosen.",
                    help: "Go back to the item, and choose what is to become of it.")
            }
            _ = try await call.services.items.setState(state, of: item.id, by: call.actor)
            return .redirect(
                to: ItemTabs.path(item.id),
                notice: state == .onSale
                    ? "Customers see it from now on." : "Customers don’t see it any more.")
        } again: {
            try await page(call, $0, to: call.form["state"])
        }
    }

    private static func page(
        _ call: PortalCall, _ form: PortalForm, to wanted: String
    ) async throws -> PortalPage {
        let item = try await ItemTabs.item(call)
        let state = ItemState(rawValue: wanted) ?? (item.state == .onSale ? .removed : .onSale)
        if state == .onSale,
            let obstacle = try await call.services.items.obstacle(of: item.id, by: call.actor)
        {
            return refused(item, obstacle)
        }
        let consequences: [String]
        let question: String
        let button: String
        switch state {
        case .onSale:
            question = "Put \(item.title) on sale?"
            let sold = item.details.prices.soldIn.count
            consequences = [
                "Customers find it at once, and see its texts, pictures and previews.",
                sold == 0
                    ? "It has no price anywhere: nobody can buy it."
                    : "It is sold in \(PortalFormatting.count(sold, "storefront", "storefronts")).",
            ]
            button = "Put on Sale"
        case .removed, .draft:
            let isStaff = call.actor.allows(.operate)
            question = isStaff ? "Take \(item.title) down?" : "Remove \(item.title) from sale?"
            consequences = [
                "Nobody finds it any more, and its page is gone.",
                "Who has bought it goes on to have it.",
                (isStaff
                    ? "Its publisher can’t put it back; the store’s staff can"
                    : "It can be put back")
                    + " at any time. Reviews and ratings stay.",
            ]
            button = isStaff ? "Take Down" : "Remove from Sale"
        }
        var page = PortalConfirmation(question, consequences, button: button).page(
            form, action: ItemTabs.path(item.id, "/state"), cancel: ItemTabs.path(item.id),
            in: .items, [.hidden("state", state.rawValue)])
        page.trail = trail(item)
        return page
    }

    /// What stands in the place of the question while the item could not be sold.
    private static func refused(_ item: Item, _ obstacle: ItemSaleObstacle) -> PortalPage {
        let refusal = obstacle.refusal(of: item.id)
        var page = PortalPage(
            "\(item.title) Can’t Be Put on Sale Yet",
            [
                PortalNotice(.bad, refusal.problem).html,
                .element("p", refusal.help),
                .element(
                    "p", [],
                    [
                        .buttonLink(obstacle.path(for: item.id), obstacle.title, isMeant: true),
                        .text(" "), .buttonLink(ItemTabs.path(item.id), "Back"),
                    ]),
            ], in: .items)
        page.isNarrow = true
        page.trail = trail(item)
        return page
    }

    private static func trail(_ item: Item) -> [PortalPage.Crumb] {
        [
            .init(PortalSection.items.title, PortalSection.items.path),
            .init(item.title, ItemTabs.path(item.id)),
        ]
    }
}

extension ItemSaleObstacle {
    /// What the link says that leads to the page where it goes away.
    var title: String {
        switch self {
        case .noPaidAgreement: PortalSection.agreements.title
        case .nothingToFetch: "Add the Download"
        }
    }
}
