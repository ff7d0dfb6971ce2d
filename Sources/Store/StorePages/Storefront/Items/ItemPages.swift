import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// The pages of items: which one an address means, and what stands on it.
struct ItemPages: Sendable {
    private static let othersLimit = 12
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
        let order = ReviewOrder(rawValue: visit.query("sort")) ?? .mostHelpful
        let number = visit.number("page", in: 1...Self.lastReviewPage)
        let action = visit.query("action") == "write-review" ? "review" : ""
        return PublicPage(
            variant: [order.rawValue, String(number), visit.locale ?? "", action]
        ) {
            try await make(order, number)
        }
    }

    private func make(_ order: ReviewOrder, _ number: Int) async throws -> PublicAnswer {
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
        var page = ItemPage(frame: frame, item: item)
        page.order = order
        if item.kind.isCollection {
            page.parts = try await services.storefront.parts(
                of: id, in: frame.storefront, locale: visit.locale)
        }
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
        if let artist = item.artist {
            let works = try await services.storefront.works(
                of: artist.id, kinds: [item.kind], by: .popular, limit: Self.othersLimit + 1,
                in: frame.storefront, locale: visit.locale)
            page.others = Array(works.filter { $0.id != id }.prefix(Self.othersLimit))
        }
        let related = try await services.storefront.related(
            to: item, limit: 2 * Self.othersLimit, locale: visit.locale)
        let shown = Set(page.others.map(\.id))
        page.related = Array(related.filter { !shown.contains($0.id) }.prefix(Self.othersLimit))
        return .page(page.page)
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

    /// What there is where an item is not sold in this country: where it is.
    private func elsewhere(_ id: ItemID) async throws -> PublicAnswer {
        let item = try await services.database.read { try $0.items.item(id) }
        guard let item, item.state == .onSale else { return .nothing }
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
