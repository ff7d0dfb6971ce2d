import StoreCore
import StoreModel

extension PortalRouteTable {
    /// What customers browse, as its publishers maintain it.
    static let items: [PortalRoute] = [
        .get("/items", .manageItems, ItemListPage.show),
        .get("/items/new", .manageItems, ItemCreationPage.show),
        .post("/items", .manageItems, ItemCreationPage.create),
        .get("/items/{id}", .manageItems, ItemDetailPage.show),
        .post("/items/{id}", .manageItems, ItemDetailPage.change),
        .get("/items/{id}/texts", .manageItems, ItemTextPages.list),
        .get("/items/{id}/texts/new", .manageItems, ItemTextPages.new),
        .post("/items/{id}/texts", .manageItems, ItemTextPages.add),
        .get("/items/{id}/texts/{locale}", .manageItems, ItemTextPages.edit),
        .post("/items/{id}/texts/{locale}", .manageItems, ItemTextPages.change),
        .post("/items/{id}/texts/{locale}/delete", .manageItems, ItemTextPages.delete),
        .get("/items/{id}/prices", .manageItems, ItemPricePages.show),
        .post("/items/{id}/prices", .manageItems, ItemPricePages.change),
        .post("/items/{id}/prices/own", .manageItems, ItemPricePages.setOwn),
        .get("/items/{id}/media", .manageItems, ItemMediaPages.show),
        .post("/items/{id}/media", .manageItems, ItemMediaPages.add),
        .get("/items/{id}/media/{media}/file", .manageItems, ItemMediaPages.file),
        .post("/items/{id}/media/{media}/move", .manageItems, ItemMediaPages.move),
        .post("/items/{id}/media/{media}/delete", .manageItems, ItemMediaPages.delete),
        .get("/items/{id}/state", .manageItems, ItemStatePages.ask),
        .post("/items/{id}/state", .manageItems, ItemStatePages.change),
    ]
}

/// The views of an item.
enum ItemTabs {
    private static let tabs: [(title: String, rest: String)] = [
        ("Overview", ""), ("Texts", "/texts"), ("Prices", "/prices"),
        ("Pictures and Media", "/media"),
    ]

    static func path(_ id: ItemID, _ rest: String = "") -> String {
        "\(PortalSection.items.path)/\(id)\(rest)"
    }

    /// The item in the path of a page.
    static func item(_ call: PortalCall) async throws -> Item {
        guard let id = ItemID(call.id) else {
            throw ConnectRefusal.notFound("item", String(call.id.prefix(40)))
        }
        return try await call.services.items.item(id, by: call.actor)
    }

    /// A page of an item, with what stands on all of them.
    ///
    /// - Parameter current: what follows the item's path in that of the view.
    static func page(
        _ title: String, of item: Item, current: String, _ content: [HTML]
    ) -> PortalPage {
        var page = PortalPage(title, content, in: .items)
        page.kind = item.details.kind.title
        page.badge = item.badge.html
        page.trail = [.init(PortalSection.items.title, PortalSection.items.path)]
        if !current.isEmpty { page.trail.append(.init(item.title, path(item.id))) }
        page.tabs = PortalTabs(item.title, tabs.map { ($0.title, path(item.id, $0.rest)) })
            .html(current: path(item.id, current))
        return page
    }
}

extension Item {
    /// The title in its primary language.
    var title: String { details.title }

    var badge: PortalBadge {
        if takenDown != nil { return PortalBadge("Taken Down", .bad) }
        return switch state {
        case .draft: PortalBadge(state.title, .plain)
        case .onSale: PortalBadge(state.title, .good)
        case .removed: PortalBadge(state.title, .bad)
        }
    }
}

extension ItemState {
    var title: String {
        switch self {
        case .draft: "Draft"
        case .onSale: "On Sale"
        case .removed: "Removed from Sale"
        }
    }
}
