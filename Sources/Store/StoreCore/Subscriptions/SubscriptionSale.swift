import Foundation
import StoreModel

/// An order for a subscription, inside the transaction that answers it.
struct SubscriptionSale {
    private let order: SubscriptionOrder
    private let terms: SubscriptionTerms
    private let known: Subscription?
    private let offer: SubscriptionOffer?
    /// Whether families may share the product of the order.
    private let isShareable: Bool
    /// The price and the offer of the failed renewal that the order pays. `nil` in three cases: the order
    /// pays no renewal, it has an offer of its own, or the renewal costs more than the customer was shown.
    private let failed: NextPeriod?
    /// Whether the customer had chosen the product of the order before: the next period is one of it.
    private let isChosen: Bool
    /// The price that the customer was shown, without an offer.
    private let seen: Money
    private let work: UnitOfWork

    /// - Returns: nil for a product that is no subscription.
    init?(
        _ draft: LedgerDraft, of product: Product, offer: SubscriptionOffer?,
        _ work: UnitOfWork
    ) throws {
        guard let terms = product.details.subscription else { return nil }
        self.offer = offer
        self.isShareable = product.details.isFamilyShareable
        self.terms = terms
        self.seen = draft.unitPrice
        self.work = work
        self.known = try work.renewals.subscription(
            of: draft.account, app: draft.app, group: terms.groupID)
        let current = try known.flatMap {
            try work.catalog.product($0.product, in: $0.app)?.details.subscription
        }
        self.order = SubscriptionOrder(
            of: draft.productID, terms, over: known, current: current, at: work.now)
        self.isChosen =
            known?.renewalProduct == draft.productID && order != .begin && order != .upgrade
        let next =
            try isChosen && order == .recover && offer == nil
            ? known.map { try work.nextPeriod(of: $0) } : nil
        // Nobody is charged more than they were told.
        failed = next.flatMap { next in
            guard let price = next.price, price.currency == draft.unitPrice.currency,
                price.thousandths <= draft.unitPrice.thousandths
            else { return nil }
            return next
        }
    }

    /// The order as the ledger gets it: what begins nothing costs nothing.
    func priced(_ draft: LedgerDraft) throws -> LedgerDraft {
        var draft = draft
        draft.original = known?.original
        if let known, order == .upgrade || order == .recover {
            draft.applicationUsername =
                try draft.applicationUsername ?? work.nextAccountToken(of: known)
        }
        if let start = try graceStart(draft) { draft.date = start }
        if !order.isCharged {
            draft.charged.thousandths = 0
        } else if let price = offer?.thousandths ?? failed?.price?.thousandths {
            draft.unitPrice.thousandths = price
            draft.charged.thousandths = price
        }
        return draft
    }

    /// The old end, where the customer pays during the grace period: the new period begins with it. `nil`
    /// for an order whose period begins at its own date.
    private func graceStart(_ draft: LedgerDraft) throws -> Date? {
        guard order == .recover, let known, known.state == .grace else { return nil }
        let end = try schedule(draft).end(
            of: period, from: known.expiration, anchorDay: known.anchorDay)
        return end > work.now ? known.expiration : nil
    }

    private func schedule(_ details: LedgerDraft) throws -> RenewalSchedule {
        try work.renewalSchedule(of: details.account, in: details.environment)
    }

    private var applied: AppliedOffer? { offer.map { AppliedOffer($0) } ?? failed?.offer }

    /// Whether the order pays a failed renewal of a subscription that renews. Then the price that the
    /// customer agreed to stays in force.
    private var goesOnAsAgreed: Bool {
        isChosen && order == .recover && known?.isRenewing == true
    }

    /// How long the period lasts that the order pays for: as the offer says, or else the product.
    private var period: SubscriptionPeriod { applied?.chargedPeriod ?? terms.period }

    /// Writes what becomes of the subscription, and tells the publisher's server.
    func record(_ entry: LedgerEntry) throws {
        let details = entry.details
        var agreed = false
        if isChosen {
            agreed = try work.offers.agree(
                to: seen, for: details.productID, account: details.account, app: details.app,
                at: work.now)
        } else {
            try work.offers.closeConsents(
                about: details.productID, account: details.account, app: details.app, at: work.now)
        }
        switch order {
        case .begin, .upgrade, .recover: try begin(entry, agreed: agreed)
        case .downgrade, .keep: try go(on: entry, agreed: agreed)
        }
    }

    /// - Parameter agreed: whether the order answers a question about a higher price.
    private func begin(_ entry: LedgerEntry, agreed: Bool) throws {
        let details = entry.details
        let day = RenewalSchedule.dayOfMonth(details.date)
        let isOfGrace = known?.state == .grace && details.date == known?.expiration
        let anchorDay = isOfGrace ? known?.anchorDay ?? day : day
        let end = try schedule(details).end(of: period, from: details.date, anchorDay: anchorDay)
        let goesOn = order != .begin
        let subscription = Subscription(
            original: entry.original, account: details.account, environment: details.environment,
            app: details.app, group: terms.groupID, product: details.productID,
            renewalProduct: details.productID, renews: true, state: .active, latest: entry.id,
            start: try start(of: entry), expiration: end,
            renewals: goesOn ? known?.renewals ?? 0 : 0, due: end,
            chosen: goesOnAsAgreed ? known?.chosen ?? work.now : work.now,
            anchorDay: RenewalSchedule.anchorDay(behind: end, before: anchorDay))
        if order == .upgrade, let known {
            try endPeriod(of: known)
        }
        try work.save(subscription, isShared: false)
        try work.renewals.insertPeriod(
            entry.id, of: subscription, end: end,
            reason: order == .recover ? .renewal : .purchase)
        if let known, !isShareable, known.state == .grace || known.state == .retry {
            try work.endShares(of: known)
        }
        if goesOn, let known { try work.keepAccountToken(of: known, for: entry) }
        // The sales figures of a past day do not change: a sale with an earlier date is posted today.
        if isOfGrace, SalesDay(details.date) != SalesDay(work.now) {
            try work.ledger.recordPosting(of: entry.id, at: work.now)
        }
        if let applied {
            try work.offers.insert(ChargedOffer(entry.id, of: subscription, applied))
        }
        if order == .recover {
            try work.offers.settleAccepted(
                by: subscription.original.id, of: details.productID, charged: applied)
        } else if known != nil {
            try work.offers.deleteAccepted(by: subscription.original.id)
        }
        try accept(offer?.follower, isStacked: true, for: subscription, entry)
        try work.notify(
            notificationTypes.type, notificationTypes.subtype, of: entry.id,
            subscription: subscription)
        if agreed {
            try work.notify(.priceIncrease, .accepted, of: entry.id, subscription: subscription)
        }
    }

    /// What the publisher's server is told of a period that the order begins.
    var notificationTypes: UnitOfWork.NotificationTypes {
        switch order {
        case .upgrade: (offer == nil ? .didChangeRenewalPreference : .offerRedeemed, .upgrade)
        case .recover: (.didRenew, .billingRecovery)
        default: (.subscribed, known == nil ? .initialBuy : .resubscribe)
        }
    }

    /// When the unbroken time of being subscribed began: short breaks don't count.
    private func start(of entry: LedgerEntry) throws -> Date {
        guard let known, known.state != .cleared else { return entry.details.date }
        let gap = entry.details.date.timeIntervalSince(known.expiration)
        return order != .begin || gap < Self.longestBreak ? known.start : entry.details.date
    }

    /// As long as billing retry lasts in production.
    private static let longestBreak: TimeInterval = 60 * 86_400

    /// Ends the running period, for the family too. What was paid for the time that is left comes back.
    private func endPeriod(of subscription: Subscription) throws {
        let period = subscription.latest
        let record = try work.transactions.record(period)
        let isPaid = record.map { $0.entry.details.charged.thousandths > 0 } ?? false
        let end = try work.renewals.paidEnd(of: period)
        let part = isPaid ? record?.unusedPart(at: work.now, paidUntil: end) ?? 0 : 0
        for share in try work.families.shares(of: period) {
            // The new product is not shared: the family loses the old one.
            guard isShareable else {
                try work.endSharing(of: share)
                continue
            }
            try work.renewals.recordUpgrade(of: share.id, returning: 0, at: work.now)
            try work.events.append(
                DeviceEventDraft(
                    account: share.details.account, app: share.details.app, kind: .transactions),
                at: work.now)
        }
        try work.renewals.recordUpgrade(of: period, returning: part, at: work.now)
    }

    private func go(on entry: LedgerEntry, agreed: Bool) throws {
        guard var subscription = known else { return }
        let earlier = subscription
        subscription.renewalProduct = entry.details.productID
        subscription.setRenews(true, at: work.now)
        if subscription.renewalProduct != earlier.renewalProduct { subscription.chosen = work.now }
        subscription.accountToken = entry.details.applicationUsername ?? subscription.accountToken
        try work.renewals.insertStandIn(entry.id, for: subscription.latest)
        try accept(
            offer?.follower ?? offer, isStacked: offer?.follower != nil, for: subscription, entry)
        try work.saveChange(
            of: subscription, over: earlier, acceptsOffer: offer != nil, agreed: agreed)
    }

    /// Notes the offer that a subscription goes on with.
    private func accept(
        _ offer: SubscriptionOffer?, isStacked: Bool, for subscription: Subscription,
        _ entry: LedgerEntry
    ) throws {
        guard let offer else { return }
        let details = entry.details
        try work.offers.save(
            AcceptedOffer(
                offer, of: subscription, for: details.productID,
                currency: details.unitPrice.currency, isStacked: isStacked))
    }
}

extension UnitOfWork {
    /// Saves a subscription whose next period has changed. Devices and the publisher's server hear what is
    /// different.
    ///
    /// - Parameters:
    ///   - acceptsOffer: whether its customer has accepted an offer with the change.
    ///   - agreed: whether the customer has agreed to a higher price with it.
    func saveChange(
        of subscription: Subscription, over earlier: Subscription, acceptsOffer: Bool = false,
        agreed: Bool = false
    ) throws {
        try save(subscription, isShared: true)
        // What waits for the next period is told as a downgrade, also where a better product waits because a
        // payment has failed: nobody has it yet. A return to the product of the last period has no subtype.
        let subtype: NotificationSubtype? =
            subscription.renewalProduct == subscription.product ? nil : .downgrade
        if acceptsOffer {
            try notifyWithFamily(.offerRedeemed, subtype, of: subscription)
        } else if subscription.renewalProduct != earlier.renewalProduct {
            try notifyWithFamily(.didChangeRenewalPreference, subtype, of: subscription)
        }
        if subscription.isRenewing != earlier.isRenewing {
            try notifyWithFamily(
                .didChangeRenewalStatus,
                subscription.renews ? .autoRenewEnabled : .autoRenewDisabled, of: subscription)
        }
        if agreed {
            try notify(
                .priceIncrease, .accepted, of: subscription.latest, subscription: subscription)
        }
    }
}
