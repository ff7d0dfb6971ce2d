import Foundation
import StoreModel

/// A sale with all that follows from it, inside the transaction that makes it: periods of
/// subscriptions, what families share, and what publishers' servers are told.
struct SaleWriter {
    private let product: Product
    private let subscription: SubscriptionSale?
    private let work: UnitOfWork
    /// As it was ordered, at the price that the customer has confirmed.
    let order: LedgerDraft
    let offer: SubscriptionOffer?
    /// As the ledger gets it.
    let draft: LedgerDraft

    /// - Parameter offer: what a subscription is sold with, priced where the customer is.
    init(
        _ draft: LedgerDraft, of product: Product, offer: SubscriptionOffer? = nil,
        _ work: UnitOfWork
    ) throws {
        self.product = product
        self.work = work
        self.order = draft
        self.offer = offer
        self.subscription = try SubscriptionSale(draft, of: product, offer: offer, work)
        self.draft = try subscription?.priced(draft) ?? draft
    }

    /// Adds the sale to the ledger.
    ///
    /// - Returns: nil where the account has used the key in this app before: nothing is added then.
    func insertIfNew() throws -> LedgerEntry? {
        guard let entry = try work.ledger.insertIfNew(draft) else { return nil }
        try follow(entry)
        return entry
    }

    /// As `insertIfNew`, under a key that must be new.
    ///
    /// - Throws: `LedgerKeyUsed`.
    func insert() throws -> LedgerEntry {
        let entry = try work.ledger.insert(draft)
        try follow(entry)
        return entry
    }

    private func follow(_ entry: LedgerEntry) throws {
        if let subscription {
            try subscription.record(entry)
        } else if entry.details.original == nil {
            try work.notify(.oneTimeCharge, of: entry)
        }
        if product.details.isFamilyShareable {
            try work.shareWithFamily(entry, as: subscription?.notificationTypes)
        }
    }
}
