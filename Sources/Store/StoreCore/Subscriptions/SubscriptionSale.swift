import Foundation
import StoreModel

/// An order for a subscription, inside the transaction that answers it.
struct SubscriptionSale {
    private let order: SubscriptionOrder
    private let terms: SubscriptionTerms
    private let known: Subscription?
    private let offer: SubscriptionOffer?
    /// What a payment that failed goes on with, where it is made again: the offer of the period that it
    /// is for.
    private let failed: SubscriptionReading.NextPeriod?
    private let repositories: StoreRepositories
    private let date: Date

    /// - Returns: nil for a product that is no subscription.
    init?(
        _ draft: LedgerDraft, of product: Product, offer: SubscriptionOffer?,
        _ repositories: StoreRepositories, at date: Date
    ) throws {
        guard let terms = product.details.subscription else { return nil }
        self.offer = offer
        self.terms = terms
        self.repositories = repositories
        self.date = date
        self.known = try repositories.renewals.subscription(
            of: draft.account, app: draft.app, group: terms.groupID)
        let current = try known.flatMap {
            try repositories.catalog.product($0.product, in: $0.app)?.details.subscription
        }
        self.order = SubscriptionOrder(
            of: draft.productID, terms, over: known, current: current, at: date)
        let next =
            try order == .recover && offer == nil
            ? known.map { try SubscriptionReading(repositories, at: date).nextPeriod(of: $0) } : nil
        // Nobody is charged more than they were told.
        failed = next.flatMap { next in
            guard next.offer != nil, let price = next.price,
                price.thousandths <= draft.unitPrice.thousandths
            else { return nil }
            return next
        }
    }

    /// The order as the ledger gets it: what begins nothing costs nothing.
    func priced(_ draft: LedgerDraft) -> LedgerDraft {
        var draft = draft
        draft.original = known?.original
        if !order.isCharged {
            draft.charged.thousandths = 0
        } else if let price = offer?.thousandths ?? failed?.price?.thousandths {
            draft.unitPrice.thousandths = price
            draft.charged.thousandths = price
        }
        return draft
    }

    /// Writes what becomes of the subscription, and tells the publisher's server.
    func record(_ entry: LedgerEntry) throws {
        switch order {
        case .begin, .upgrade, .recover: try begin(entry)
        case .downgrade, .keep: try go(on: entry)
        }
    }

    private func begin(_ entry: LedgerEntry) throws {
        let details = entry.details
        let pace = try SubscriptionReading(repositories, at: date)
            .pace(of: details.account, in: details.environment)
        let applied = offer.map { AppliedOffer($0) } ?? failed?.offer
        let end = pace.end(of: applied?.chargedPeriod ?? terms.period, from: details.date)
        let goesOn = order != .begin
        let subscription = Subscription(
            original: entry.original, account: details.account, environment: details.environment,
            app: details.app, group: terms.groupID, product: details.productID,
            renewalProduct: details.productID, renews: true, state: .active, latest: entry.id,
            start: goesOn ? known?.start ?? details.date : details.date, expiration: end,
            renewals: goesOn ? known?.renewals ?? 0 : 0, due: end)
        if order == .upgrade, let known {
            try endPeriod(of: known)
        }
        try SubscriptionWriting(repositories, at: date).save(subscription, isShared: false)
        try repositories.renewals.insertPeriod(
            entry.id, of: subscription, end: end, reason: .purchase)
        if let applied {
            try repositories.offers.insert(ChargedOffer(entry.id, of: subscription, applied))
        }
        if known != nil { try repositories.offers.deleteAccepted(by: subscription.original.id) }
        let (type, subtype): (NotificationType, NotificationSubtype) =
            switch order {
            case .upgrade:
                (offer == nil ? .didChangeRenewalPreference : .offerRedeemed, .upgrade)
            case .recover: (.didRenew, .billingRecovery)
            default: (.subscribed, known == nil ? .initialBuy : .resubscribe)
            }
        try Outbox(repositories, at: date)
            .tell(type, subtype, of: entry.id, subscription: subscription)
    }

    /// Ends the running period, for the family too. What was paid for the time that is left comes back.
    private func endPeriod(of subscription: Subscription) throws {
        let period = subscription.latest
        let record = try repositories.transactions.record(period)
        let isPaid = record.map { $0.entry.details.charged.thousandths > 0 } ?? false
        let end = try repositories.renewals.paidEnd(of: period)
        let part = isPaid ? record?.unusedPart(at: date, paidUntil: end) ?? 0 : 0
        for share in try repositories.families.shares(of: period) {
            try repositories.renewals.recordUpgrade(of: share.id, returning: 0, at: date)
            try repositories.events.append(
                DeviceEventDraft(
                    account: share.details.account, app: share.details.app, kind: .transactions),
                at: date)
        }
        try repositories.renewals.recordUpgrade(of: period, returning: part, at: date)
    }

    private func go(on entry: LedgerEntry) throws {
        guard var subscription = known else { return }
        let earlier = subscription
        subscription.renewalProduct = entry.details.productID
        subscription.renews = true
        subscription.intent = nil
        try repositories.renewals.insertStandIn(entry.id, for: subscription.latest)
        if let offer {
            try repositories.offers.save(
                AcceptedOffer(
                    original: subscription.original.id, product: entry.details.productID,
                    offer: AppliedOffer(offer),
                    price: Money(
                        thousandths: offer.thousandths, currency: entry.details.unitPrice.currency))
            )
        }
        try SubscriptionChange.save(
            subscription, over: earlier, acceptsOffer: offer != nil, repositories, at: date)
    }
}

/// A change of what a subscription goes on with, inside a transaction.
enum SubscriptionChange {
    /// Saves it, and tells devices and the publisher's server what is different.
    ///
    /// - Parameter acceptsOffer: whether its customer has accepted an offer with the change.
    static func save(
        _ subscription: Subscription, over earlier: Subscription, acceptsOffer: Bool = false,
        _ repositories: StoreRepositories, at date: Date
    ) throws {
        try SubscriptionWriting(repositories, at: date).save(subscription, isShared: true)
        let outbox = Outbox(repositories, at: date)
        if acceptsOffer {
            try outbox.tell(
                .offerRedeemed,
                subscription.renewalProduct == subscription.product ? nil : .downgrade,
                of: subscription.latest, subscription: subscription)
        } else if subscription.renewalProduct != earlier.renewalProduct {
            // Going back to what one has has no subtype.
            try outbox.tell(
                .didChangeRenewalPreference,
                subscription.renewalProduct == subscription.product ? nil : .downgrade,
                of: subscription.latest, subscription: subscription)
        }
        if subscription.renews != earlier.renews {
            try outbox.tell(
                .didChangeRenewalStatus,
                subscription.renews ? .autoRenewEnabled : .autoRenewDisabled,
                of: subscription.latest, subscription: subscription)
        }
    }
}
