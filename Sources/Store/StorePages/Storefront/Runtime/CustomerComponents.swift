import StoreCore
import StoreModel

/// What of a page belongs to the customer who looks at it.
struct CustomerComponents: Sendable {
    private let frame: StorefrontFrame
    private let owned: Set<ItemID>
    private let downloadable: Set<ItemID>
    /// The item that the page is about; nil for another page.
    private let subject: ItemID?
    private let review: CustomerReview?

    /// - Parameter offers: the items on the page that can be bought.
    init(
        of account: Account, offers: [ItemID], on subject: ItemID?, _ visit: StorefrontVisit
    ) async throws {
        let services = visit.services
        frame = visit.frame
        owned = try await services.sales.ownedItems(of: offers, by: account.id)
        downloadable = try await services.downloadable(Array(owned))
        self.subject = subject
        if let subject {
            review = try await services.reviews.own(on: subject, by: account)
        } else {
            review = nil
        }
    }

    /// - Parameter token: what the forms of the page carry.
    /// - Returns: nil for what usually stands in the slot.
    func html(_ slot: PageSlot, token: String) -> HTML? {
        switch slot {
        case .account: nil
        case .offer(let id):
            owned.contains(id)
                ? OfferComponent(frame: frame).owned(
                    id, isLarge: id == subject, hasDownload: downloadable.contains(id)) : nil
        case .review: review.map { OwnReviewComponent(review: $0, frame: frame).html }
        case .votes:
            subject.map { OwnReviewComponent.votesForm($0, token: token, in: frame) }
        }
    }
}
