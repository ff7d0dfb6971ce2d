import Foundation
import StoreCore
import StoreModel
import StoreWire

/// Builds the answer with an item's page.
struct ItemPageWriter: Sendable {
    let services: APIServices
    let environment: StoreEnvironment
    let links: StorefrontLinks

    func page(
        of item: StorefrontItem, for account: Account?
    ) async throws -> ItemPageAnswer {
        let details = item.item.details
        let content = try await services.storefront.seen(in: environment)
            .content(of: item, at: services.clock.now())
        return ItemPageAnswer(
            item: WireItem(item), storefront: item.storefront.code, url: links.page(of: item),
            seller: item.sellerName, subtitle: item.text.subtitle,
            description: item.text.description,
            genre: details.genres.lazy.compactMap(Genre.numbered).first { $0.parent != nil }?.name,
            ageRating: details.facts.advisoryRating, fileSize: details.facts.fileSize,
            supportUrl: details.facts.supportURL, rating: WireRating(counts: item.rating.counts),
            versions: Self.versions(content, of: item),
            purchases: content.purchases.map {
                WireItemPurchase(title: $0.title, price: $0.price)
            }, parts: content.parts.map(WireItem.init), others: content.others.map(WireItem.init),
            related: content.related.map(WireItem.init),
            obstacle: item.obstacle?.sentence, customer: try await customer(item, account))
    }

    /// The history of an app; what is known of the version of anything else.
    private static func versions(
        _ content: ItemPageContent, of item: StorefrontItem
    ) -> [WireItemVersion] {
        guard content.versions.isEmpty else {
            return content.versions.map {
                WireItemVersion(
                    version: $0.version, date: $0.released.milliseconds, notes: $0.notes)
            }
        }
        let facts = item.item.details.facts
        guard let version = facts.version, !version.isEmpty else { return [] }
        return [
            WireItemVersion(
                version: version, date: facts.versionDate?.milliseconds,
                notes: item.text.releaseNotes)
        ]
    }

    private func customer(
        _ item: StorefrontItem, _ account: Account?
    ) async throws -> WireItemCustomer? {
        guard let account else { return nil }
        let right = try await services.itemSales.right(to: item.id, of: account)
        let file = try await ItemDownload.of(item.id, services)
        let review = try await services.customerReviews.own(on: item.id, by: account)
        return WireItemCustomer(
            isOwned: right != .notOwned,
            file: right == .given ? file.map(WireItemFile.init) : nil,
            isWithheld: right == .withheld && file != nil,
            needsApproval: try await services.itemSales.needsApproval(account.id),
            mayReview: try await services.customerReviews.canReview(item.id, by: account),
            review: review.map { WireReview($0, isOwn: true) })
    }
}

extension WireItem {
    init(_ item: StorefrontItem) {
        self.init(
            itemId: item.id.number, kind: item.kind.rawValue, title: item.text.title,
            maker: item.artist?.name ?? item.sellerName, price: item.price)
    }
}

extension WireItemFile {
    init(_ file: ItemDownload) {
        self.init(name: file.name, size: file.size, digest: file.digest.text)
    }
}

extension WireReview {
    /// - Parameter isOwn: whether it is shown to the account that wrote it.
    init(_ review: CustomerReview, isOwn: Bool) {
        self.init(
            reviewId: review.id.number, rating: review.rating, title: review.title,
            body: review.body, nickname: review.nickname, version: review.version,
            date: review.changed.milliseconds, helpfulVotes: review.helpfulVotes,
            votes: review.votes, response: review.response,
            state: isOwn ? review.state.rawValue : nil)
    }
}

extension WireError {
    init(_ refusal: ItemSaleRefusal) {
        let code: WireErrorCode =
            switch refusal {
            case .itemUnknown: .itemUnknown
            case .notInStorefront: .itemNotInStorefront
            case .notForSale, .obstacle: .itemNotForSale
            case .priceChanged: .priceChanged
            case .asksToBuy: .itemNeedsApproval
            case .paymentDeclined: .paymentDeclined
            case .interrupted: .purchaseInterrupted
            }
        self.init(code: code, message: refusal.description)
    }

    init(_ refusal: ReviewRefusal) {
        let code: WireErrorCode =
            switch refusal {
            case .itemUnknown: .itemUnknown
            case .notBought: .itemNotOwned
            case .rating, .text: .reviewMalformed
            case .reviewUnknown: .reviewUnknown
            case .ownReview: .ownReview
            }
        self.init(code: code, message: refusal.description)
    }
}
