import StoreModel

/// Puts together what customers of one storefront see of items, in the midst of a transaction.
struct StorefrontView {
    private let storefront: Storefront
    private let locale: String
    /// Whose customers' stars are shown.
    private let environment: StoreEnvironment
    private let repositories: StoreRepositories

    /// - Parameters:
    ///   - locale: nil for the storefront's.
    ///   - environment: whose stars are shown.
    init(
        _ storefront: Storefront, locale: String?, _ environment: StoreEnvironment,
        _ repositories: StoreRepositories
    ) {
        self.storefront = storefront
        self.locale = locale ?? storefront.locale
        self.environment = environment
        self.repositories = repositories
    }

    /// Those that are seen, in their order.
    ///
    /// - Parameter areOwned: whether the customer owns all items. Owners also see items that are not on sale.
    func items(_ items: [Item], areOwned: Bool = false) throws -> [StorefrontItem] {
        let seen = areOwned ? items : items.filter(isSeen)
        guard !seen.isEmpty else { return [] }
        let parentIDs = Set(seen.compactMap(\.details.parent)).sorted()
        let parents = try repositories.items.items(parentIDs).filter(isSeen)
        let artistIDs = Set((seen + parents).compactMap(\.details.artist)).sorted()
        let artists = Dictionary(
            uniqueKeysWithValues: try repositories.items.artists(artistIDs).map { ($0.id, $0) })
        let ids = seen.map(\.id)
        let media = try repositories.itemMedia.media(of: ids + parentIDs)
        let ratings = try repositories.customerReviews.summaries(
            of: ids, environment: environment)
        let parentsByID = Dictionary(
            uniqueKeysWithValues: parents.map { parent in
                (
                    parent.id,
                    shown(
                        parent, artist: parent.details.artist.flatMap { artists[$0] },
                        artwork: media[parent.id]?.first { $0.kind == .artwork })
                )
            })
        let withFiles = try repositories.itemMedia.withFiles(ids)
        var teams: [Int64: Team] = [:]
        return try seen.map { item in
            let details = item.details
            if teams[item.team] == nil {
                teams[item.team] = try repositories.catalog.team(item.team)
            }
            let team = teams[item.team]
            let rating = ratings[item.id] ?? RatingSummary()
            var shown = StorefrontItem(
                item: item, storefront: storefront, text: details.text(locale: locale),
                price: details.prices.price(in: storefront),
                rentalPrice: details.rentalPrices?.price(in: storefront),
                artist: details.artist.flatMap { artists[$0] },
                parent: details.parent.flatMap { parentsByID[$0] },
                rating: rating, versionRating: try versionRating(of: item, rating),
                // What buyers download is not shown to others.
                media: (media[item.id] ?? []).filter { $0.kind != .download },
                sellerName: details.facts.sellerName ?? team?.name ?? "",
                app: try details.app.flatMap { try repositories.catalog.app($0) })
            shown.obstacle = ItemSaleObstacle.of(
                details, costs: (shown.price?.thousandths ?? 0) > 0,
                hasPaidAgreement: team?.hasPaidAgreement ?? false,
                hasFile: withFiles.contains(item.id))
            return shown
        }
    }

    private func isSeen(_ item: Item) -> Bool {
        item.state == .onSale && item.details.prices.isShown(in: storefront)
    }

    /// The stars of the version that is sold now.
    private func versionRating(of item: Item, _ rating: RatingSummary) throws -> RatingSummary {
        guard let version = item.details.facts.version, rating.total > 0 else { return rating }
        return try repositories.customerReviews.summary(
            of: item.id, version: version, environment: environment)
    }

    private func shown(
        _ parent: Item, artist: Artist?, artwork: ItemMedia?
    ) -> StorefrontItem.Parent {
        StorefrontItem.Parent(
            item: parent, text: parent.details.text(locale: locale),
            price: parent.details.prices.price(in: storefront), artist: artist, artwork: artwork)
    }
}
