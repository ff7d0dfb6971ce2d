import StoreCore
import StoreModel

extension PortalRouteTable {
    /// In-app purchases of an app, and what the app promotes of them.
    static let products: [PortalRoute] = [
        .get("/apps/{id}/products", .viewApps, ProductListPages.list),
        .get("/apps/{id}/products/new", .manageProducts, ProductListPages.new),
        .post("/apps/{id}/products", .manageProducts, ProductListPages.create),
        .get("/apps/{id}/promoted", .viewApps, PromotionPages.list),
        .post("/apps/{id}/promoted", .manageProducts, PromotionPages.add),
        .post("/promoted/{id}", .manageProducts, PromotionPages.change),
        .get("/products/{id}", .viewApps, ProductPages.show),
        .post("/products/{id}", .manageProducts, ProductPages.change),
        .get("/products/{id}/delete", .manageProducts, ProductPages.askDeletion),
        .post("/products/{id}/delete", .manageProducts, ProductPages.delete),
        .get("/products/{id}/texts", .viewApps, ProductTextPages.list),
        .get("/products/{id}/texts/new", .manageProducts, ProductTextPages.new),
        .post("/products/{id}/texts", .manageProducts, ProductTextPages.add),
        .get("/products/{id}/texts/{locale}", .manageProducts, ProductTextPages.edit),
        .post("/products/{id}/texts/{locale}", .manageProducts, ProductTextPages.change),
        .get("/products/{id}/texts/{locale}/delete", .manageProducts, ProductTextPages.ask),
        .post("/products/{id}/texts/{locale}/delete", .manageProducts, ProductTextPages.delete),
        .get("/products/{id}/prices", .viewApps, ProductPricePages.show),
        .get("/products/{id}/prices/new", .managePrices, ProductPricePages.new),
        .post("/products/{id}/prices", .managePrices, ProductPricePages.set),
        .post("/products/{id}/prices/follow", .managePrices, ProductPricePages.follow),
        .get("/products/{id}/availability", .viewApps, ProductAvailabilityPages.show),
        .post("/products/{id}/availability", .manageProducts, ProductAvailabilityPages.set),
        .get("/products/{id}/screenshot", .viewApps, ProductScreenshotPages.show),
        .post("/products/{id}/note", .manageProducts, ProductScreenshotPages.setNote),
        .post("/products/{id}/screenshot", .manageProducts, ProductScreenshotPages.send),
        .put("/products/{id}/screenshot", .manageProducts, ProductScreenshotPages.take),
        .post("/products/{id}/screenshot/delete", .manageProducts, ProductScreenshotPages.delete),
        .get("/products/{id}/screenshot/file", .viewApps, ProductScreenshotPages.file),
    ]
}

/// The views of a product. A subject that adds one names its page here.
enum ProductTabs {
    private static let tabs: [(title: String, pattern: String)] = [
        ("Overview", "/products/{id}"), ("Texts", "/products/{id}/texts"),
        ("Prices", "/products/{id}/prices"), ("Availability", "/products/{id}/availability"),
        ("Review Information", "/products/{id}/screenshot"),
        ("Hosted Content", "/products/{id}/content"), ("Review", "/products/{id}/review"),
    ]

    /// The tabs that somebody may open.
    ///
    /// - Parameter current: the pattern of the one that is shown.
    static func html(of record: ProductRecord, current: String, _ call: PortalCall) -> HTML {
        let open = tabs.filter { tab in
            PortalRouteTable.routes.contains { route in
                guard route.method == .get, route.pattern == tab.pattern,
                    case .permission(let permission) = route.access
                else { return false }
                return call.actor.allows(permission)
            }
        }
        func path(_ pattern: String) -> String {
            PortalRoutes.prefix
                + pattern.replacing(scalars: "{id}", with: record.number.description)
        }
        return PortalTabs(record.id.text, open.map { ($0.title, path($0.pattern)) })
            .html(current: path(current))
    }

    static func path(_ number: ProductNumber, _ rest: String = "") -> String {
        "/connect/products/\(number)\(rest)"
    }

    /// A page of a product, with what stands on all of them.
    static func page(
        _ title: String, of record: ProductRecord, current: String, _ call: PortalCall,
        _ content: [HTML]
    ) async throws -> PortalPage {
        let app = try await call.services.database.read { repositories in
            try repositories.catalog.app(record.summary.app)
        }
        var page = PortalPage(title, content, in: .apps)
        page.kind = record.summary.type.title
        page.badge = record.state.badge.html
        page.lead = record.id.text
        if let app {
            page.trail = [
                .init("Apps", PortalSection.apps.path),
                .init(app.name, "/connect/apps/\(app.id.number)"),
                .init("In-App Purchases", "/connect/apps/\(app.id.number)/products"),
            ]
        }
        if current != "/products/{id}" {
            page.trail.append(.init(record.summary.referenceName, path(record.number)))
        }
        page.tabs = html(of: record, current: current, call)
        return page
    }

    /// The product in the path of a page.
    static func record(_ call: PortalCall) async throws -> ProductRecord {
        guard let number = ProductNumber(call.id) else {
            throw ConnectRefusal.notFound("in-app purchase", String(call.id.prefix(100)))
        }
        return try await call.services.products.product(number, by: call.actor)
    }
}

extension PortalServices {
    var products: ProductService { ProductService(database: database, clock: clock) }
    var promotions: PromotionService { PromotionService(database: database, clock: clock) }
}
