import Foundation
@testable import StoreCore
import StoreModel

extension TestStore {
    /// Puts an item of the sample shop's publisher on sale.
    ///
    /// - Parameters:
    ///   - id: its number; nil for the next free one.
    ///   - own: thousandths by storefront, instead of the tier's.
    ///   - hasFile: whether its buyers get a file; nil for all but albums and seasons.
    @discardableResult
    package func addItem(
        _ title: String, _ kind: ItemKind = .ebook, id: Int64? = nil, tier: String? = "2",
        own: [String: Int64] = [:], storefronts: Set<String>? = nil, state: ItemState = .onSale,
        hasFile: Bool? = nil, _ change: @escaping @Sendable (inout ItemDetails) -> Void = { _ in }
    ) async throws -> ItemID {
        try await store.database.write { repositories in
            let app = try repositories.catalog.app(SampleShop.bundleID)!
            var details = ItemDetails(
                kind: kind, title: title, genres: [Genre.root(of: kind).children[0].id],
                prices: ItemPrices(tier: tier, own: own, storefronts: storefronts))
            change(&details)
            let item = try repositories.items.insert(
                details, id: (id ?? details.app?.number).map { ItemID(number: $0) }, of: app.teamID,
                state: state,
                at: Date()
            ).id
            if hasFile ?? !kind.isCollection { try repositories.addFile(to: item) }
            return item
        }
    }

    /// What an account got of the storefront, the newest first.
    package func itemSales(
        of email: String = TestStore.american, in environment: StoreEnvironment = .sandbox
    ) async throws -> [ItemSale] {
        let account = try await store.services.accounts.account(
            email: email, environment: environment)
        return try await store.services.itemSales.purchases(
            of: account.id, PageRequest(limit: 50)
        ).items
    }
}

extension StoreRepositories {
    /// Gives an item a download, so that it can be sold; nobody has its bytes.
    package func addFile(to item: ItemID) throws {
        try itemMedia.save(
            ItemMedia(
                id: AssetID(UUID().uuidString.lowercased())!, item: item, kind: .download,
                position: 1, digest: ContentDigest(String(repeating: "cd", count: 32))!,
                mediaType: "application/zip", fileName: "file.zip", size: 10))
    }
}

extension TestStore {
    /// Gives an item a file for its buyers, in the place of what it had.
    ///
    /// - Parameter name: its ending says what the bytes begin like.
    package func giveFile(_ bytes: Data, named name: String, to item: ItemID) async throws {
        let folder = try TemporaryFolder()
        _ = try await store.services.itemMedia.add(
            try folder.write("file", bytes), kind: .download, fileName: name, to: item,
            by: .machine)
    }

    /// What a buyer says of an item, who gets it first.
    @discardableResult
    package func addReview(
        _ rating: Int, _ title: String = "", _ body: String = "", of item: ItemID,
        by email: String, in environment: StoreEnvironment = .sandbox
    ) async throws -> ReviewID {
        let services = store.services
        let account = try await services.accounts.account(email: email, environment: environment)
        let price = try await services.storefront.item(item, in: account.storefront)?.price
        if try await services.itemSales.owned(item, by: account.id) == nil, let price {
            _ = try await services.itemSales.buy(item, expecting: price, by: account)
        }
        return try await services.customerReviews.write(
            ReviewDraft(rating: rating, title: title, body: body, nickname: "Reader"), on: item,
            by: account
        ).id
    }
}
