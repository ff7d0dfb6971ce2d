import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// The pages of items: which one an address means, and what stands on it.
struct ItemPages: Sendable {
    /// The last page of reviews that is looked for.
    private static let lastReviewPage = 500

    let visit: StorefrontVisit
    private var services: StorefrontPageServices { visit.services }
    private var frame: StorefrontFrame { visit.frame }

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    /// The page under its whole address.
    var page: PublicPage {
        let action = visit.query("action") == "write-review" ? "review" : ""
        return PublicPage(
            variant: [order.rawValue, String(number), visit.locale ?? "", action] + purchases
        ) {
            try await make()
        }
    }

    private var order: ReviewOrder { ReviewOrder(rawValue: visit.query("sort")) ?? .mostHelpful }
    private var number: Int { visit.number("page", in: 1...Self.lastReviewPage) }

    /// What a page of an app depends on beside the storefront: in-app purchases are of the catalog,
    /// and their prices change with time, which an hour is close enough for.
    private var purchases: [String] {
        guard visit.request.parameters.contains(ItemKind.software.pathSegment) else { return [] }
        let hour = Int64(
            clamping: (services.clock.now().timeIntervalSince1970 / 3600).rounded(.down))
        return [
            String(services.database.knownCatalogGeneration() ?? 0), String(hour),
        ]
    }

    private func make() async throws -> PublicAnswer {
        guard let id = visit.item else { return .nothing }
        guard
            let item = try await services.storefront.item(
                id, in: frame.storefront, locale: visit.locale)
        else { return try await elsewhere(id) }
        let path = frame.links.page(of: item)
        guard path.removingPercentEncoding == visit.request.path else {
            return .moved(path + query)
        }
        if visit.query("action") == "write-review" { return .next(frame.path("review/\(id)")) }
        return .page(try await load(item).page)
    }

    /// The page of an item, with the reviews that the address asks for.
    func load(_ item: StorefrontItem) async throws -> ItemPage {
        let id = item.id
        var page = ItemPage(frame: frame, item: item)
        page.order = order
        page.content = try await services.storefront.content(
            of: item, locale: visit.locale, at: services.clock.now())
        let size = ItemPage.reviewsPerPage
        var reviews = try await services.reviews.reviews(
            of: id, in: nil, by: order, page: number, size: size,
            environment: visit.environment)
        let last = max(1, (reviews.total + size - 1) / size)
        page.reviewPage = min(number, last)
        if number > last {
            reviews = try await services.reviews.reviews(
                of: id, in: nil, by: order, page: last, size: size,
                environment: visit.environment)
        }
        page.reviews = reviews.reviews
        page.reviewCount = reviews.total
        return page
    }

    /// The short address: to the whole one.
    var short: PublicPage {
        PublicPage {
            guard let id = visit.item else { return .nothing }
            guard let item = try await services.storefront.item(id, in: frame.storefront) else {
                return try await elsewhere(id)
            }
            return .moved(frame.links.page(of: item) + query)
        }
    }

    /// What of the query goes on with the address.
    private var query: String {
        let kept = visit.request.query.filter {
            ["mt", "l", "action", "at", "ct", "pt"].contains($0.name)
        }
        let link = PortalLink("/", kept).text.dropFirst()
        return String(link)
    }

    /// The page of the app whose in-app purchase has the number.
    private func appOfPurchase(_ id: ItemID) async throws -> PublicAnswer {
        let apps = try await services.storefront.ids(
            .purchase(ProductNumber(number: id.number)))
        let app = try await services.storefront.items(apps, in: frame.storefront).first
        return app.map { .next(frame.links.page(of: $0) + query) } ?? .nothing
    }

    /// What there is where an item is not sold in this country: where it is.
    private func elsewhere(_ id: ItemID) async throws -> PublicAnswer {
        let item = try await services.database.read { try $0.items.item(id) }
        guard let item else { return try await appOfPurchase(id) }
        guard item.state == .onSale else { return .nothing }
        let all = Storefront.all.filter { item.details.prices.price(in: $0) != nil }
        guard !all.isEmpty else { return .nothing }
        let title = item.details.text(locale: frame.storefront.locale).title
        var problem = StorefrontProblem(
            status: 404, title: "Not Sold Here",
            text:
                "“\(title)” is not sold in \(frame.storefront.nameInSentence). "
                + "An account buys in the store of its own country.")
        problem.more = [
            .element("h2", "Where it is sold"),
            .element(
                "ul", class: "places",
                all.prefix(24).map { other in
                    .element(
                        "li", [],
                        [
                            .element(
                                "a",
                                [
                                    .init(
                                        "href",
                                        frame.links.page(of: item, title: title, in: other))
                                ], other.name)
                        ])
                }),
        ]
        return .page(problem.page(in: frame), status: 404)
    }
}
