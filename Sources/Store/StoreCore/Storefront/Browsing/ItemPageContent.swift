import Foundation
import StoreModel

/// What the page of an item shows beside the item itself and its reviews, wherever the page is:
/// in the storefront, inside of an app, or on a device's terminal.
package struct ItemPageContent: Sendable, Hashable {
    /// A version of an app that customers got.
    package struct Version: Sendable, Hashable {
        package var version: String
        package var platform: AppPlatform
        package var released: Date
        /// What the publisher says is new in it; empty for nothing.
        package var notes: String
    }

    /// Something that is sold inside of an app.
    package struct Purchase: Sendable, Hashable {
        package var product: ProductID
        package var title: String
        package var price: Money
    }

    /// As many purchases, and as many other items, as a page shows.
    package static let purchaseLimit = 10
    package static let shelfLimit = 12
    /// As many versions as the history of versions has.
    package static let versionLimit = 25
    /// As many products as are looked at for the purchases.
    static let candidateLimit = 60

    /// Songs of an album, episodes of a season, in their order.
    package var parts: [StorefrontItem] = []
    /// Other works of its artist.
    package var others: [StorefrontItem] = []
    /// What customers may like too; none of `others`.
    package var related: [StorefrontItem] = []
    /// The newest first.
    package var versions: [Version] = []
    /// Those that the publisher promotes come first.
    package var purchases: [Purchase] = []

    package init() {}
}

extension StorefrontService {
    /// What the page of an item shows.
    ///
    /// - Parameters:
    ///   - locale: the language of texts; nil for the storefront's.
    ///   - date: whose prices count.
    package func content(
        of item: StorefrontItem, locale: String? = nil, at date: Date
    ) async throws -> ItemPageContent {
        let limit = ItemPageContent.shelfLimit
        var content = ItemPageContent()
        if item.kind.isCollection {
            content.parts = try await parts(of: item.id, in: item.storefront, locale: locale)
        }
        if let artist = item.artist {
            let works = try await works(
                of: artist.id, kinds: [item.kind], by: .popular, limit: limit + 1,
                in: item.storefront, locale: locale)
            content.others = Array(works.filter { $0.id != item.id }.prefix(limit))
        }
        let shown = Set(content.others.map(\.id))
        let related = try await related(to: item, limit: 2 * limit, locale: locale)
        content.related = Array(related.filter { !shown.contains($0.id) }.prefix(limit))
        guard let app = item.app else { return content }
        let environment = environment
        (content.versions, content.purchases) = try await database.read { repositories in
            (
                try repositories.releasedVersions(of: app.id),
                try repositories.purchases(
                    in: app, environment, storefront: item.storefront, at: date)
            )
        }
        return content
    }
}

extension StoreRepositories {
    fileprivate func releasedVersions(of app: AppID) throws -> [ItemPageContent.Version] {
        let versions = try appVersions.versions(of: app).compactMap {
            version -> ItemPageContent.Version? in
            guard let released = version.released, version.state.isInHistory else { return nil }
            return ItemPageContent.Version(
                version: version.version.text, platform: version.platform, released: released,
                notes: version.whatsNew)
        }
        return Array(
            versions.sorted { $0.released > $1.released }.prefix(ItemPageContent.versionLimit))
    }

    /// What customers of a storefront can buy in an app, by the rules by which it is sold.
    fileprivate func purchases(
        in app: App, _ environment: StoreEnvironment, storefront: Storefront, at date: Date
    ) throws -> [ItemPageContent.Purchase] {
        guard try catalog.team(app.teamID)?.hasPaidAgreement == true,
            !app.binaryState.isRejected
        else { return [] }
        let promoted = try promotions.promotions(of: app.id)
            .filter { $0.isVisible && $0.isEnabled }
            .compactMap { try products.summary($0.product)?.productID }
        let filter = ProductFilter(states: environment == .production ? [.approved] : nil)
        let all = try products.page(
            of: app.id, filter, by: ProductOrder(),
            PageRequest(limit: ItemPageContent.candidateLimit)
        ).page.items.map(\.productID)
        var seen: Set<ProductID> = []
        var found: [ItemPageContent.Purchase] = []
        for id in promoted + all where seen.insert(id).inserted {
            guard found.count < ItemPageContent.purchaseLimit else { break }
            guard let product = try catalog.product(id, in: app.id), !product.isDeleted,
                SellingTerms.reason(
                    against: product, in: environment, storefront: storefront, at: date) == nil,
                let price = product.price(in: storefront, at: date)
            else { continue }
            found.append(
                ItemPageContent.Purchase(
                    product: id,
                    title: product.text(in: storefront, environment: environment).title,
                    price: price))
        }
        return found
    }
}

extension AppVersionState {
    /// Whether customers read of it in the history of versions.
    fileprivate var isInHistory: Bool { self == .readyForSale || self == .replacedWithNewVersion }
}
