import Foundation
import StoreModel

/// The next period of a subscription: its product's terms, price and offer.
struct NextPeriod {
    /// Nil if the product is no longer sold: it was removed from sale, or its team's Paid Apps agreement is
    /// not in force.
    var terms: SubscriptionTerms?
    /// The price for the customer today. Nil if the customer's storefront does not sell the product.
    var price: Money?
    /// The same without the offer.
    var fullPrice: Money?
    var offer: AppliedOffer?
    /// Whether the customer was asked about a higher price.
    var priceIncrease = RenewalSituation.PriceIncrease.none
    /// The higher price that the customer was asked about and has not answered.
    var askedPrice: Money?

    /// The most that it costs without the offer, for a customer who agrees to what they were asked.
    var highestPrice: Money? {
        guard let fullPrice, let askedPrice else { return fullPrice }
        return askedPrice.thousandths > fullPrice.thousandths ? askedPrice : fullPrice
    }
}

/// What belongs to a subscription.
extension UnitOfWork {
    /// What signed renewal information says of it.
    package func renewalInformation(on subscription: Subscription) throws -> RenewalInformation {
        let record = try transactions.record(subscription.latest)
        let next = try nextPeriod(of: subscription)
        let increase = next.priceIncrease
        // What does not go on is charged by no offer.
        let goesOn = subscription.isRenewing
        var information = RenewalInformation(
            subscription, renewalPrice: goesOn ? next.price : next.fullPrice,
            offer: goesOn ? next.offer : nil,
            priceIncrease: increase == .none ? nil : increase == .agreed ? .agreed : .unanswered,
            accountToken: subscription.accountToken ?? record?.facts.accountToken)
        information.winBackOffers = try winBackOffers(for: subscription)
        return information
    }

    /// Whether the customer was asked about a higher price and has not answered yet.
    package func waitsForConsent(_ subscription: Subscription) throws -> Bool {
        subscription.isRenewing
            ? try nextPeriod(of: subscription).priceIncrease == .unanswered : false
    }

    /// The identifiers of the win-back offers that a customer may have after cancelling. Nil for none.
    private func winBackOffers(for subscription: Subscription) throws -> [String]? {
        guard subscription.state == .expired,
            case .expired(cancelled: true) = OfferCustomer.Status(of: subscription, at: now),
            let product = try catalog.product(
                subscription.product, in: subscription.app, .offers),
            let account = try accounts.account(subscription.account)
        else { return nil }
        let names = product.offers(in: account.storefront, at: now)
            .filter { $0.kind == .winBack && $0.customers != [] }.compactMap(\.identifier)
        return names.isEmpty ? nil : names
    }

    /// What the subscription would go on with.
    func nextPeriod(of subscription: Subscription) throws -> NextPeriod {
        guard let account = try accounts.account(subscription.account) else {
            return NextPeriod()
        }
        let last = try renewals.latestPriceConsent(
            about: subscription.renewalProduct, account: account.id, app: subscription.app,
            in: account.storefront.currency)
        let consent = last.flatMap { $0.counts(since: subscription.chosen) ? $0 : nil }
        var next = NextPeriod(
            priceIncrease: consent.map { $0.isOpen ? .unanswered : .agreed }
                ?? (subscription.intent == .priceIncreaseRefused ? .refused : .none))
        if let consent, consent.isOpen {
            next.askedPrice = Money(
                thousandths: consent.asked.newPrice, currency: account.storefront.currency)
        }
        guard
            let product = try catalog.product(
                subscription.renewalProduct, in: subscription.app, .prices),
            !product.isDeleted, !product.details.state.isRemovedFromSale,
            try catalog.hasPaidAgreement(of: subscription.app)
        else { return next }
        next.terms = product.details.subscription
        next.fullPrice = product.price(in: account.storefront, at: now)
        if let consent, let price = next.fullPrice,
            let limit = try limit(of: consent, for: subscription, in: price.currency)
        {
            next.fullPrice?.thousandths = min(price.thousandths, limit)
        }
        next.price = next.fullPrice
        if let currency = next.price?.currency,
            let reduced = try reducedPrice(of: subscription, in: currency)
        {
            (next.price, next.offer) = reduced
        }
        return next
    }

    /// The limit that a question about a higher price sets to the next price, in thousandths. Nil for no limit:
    /// the customer pays the catalog's price.
    private func limit(
        of consent: LatestPriceConsent, for subscription: Subscription, in currency: String
    ) throws -> Int64? {
        // A customer who resumes a subscription chooses it again, at the price of the catalog.
        guard subscription.isRenewing else { return nil }
        if let highest = consent.highestPrice { return highest }
        // A question of an earlier version did not keep the price: the last period has it, unless that was
        // charged by an offer, or was one of another product.
        guard consent.isOpen, subscription.product == subscription.renewalProduct,
            try offers.offer(of: subscription.latest) == nil,
            let paid = try ledger.entry(subscription.latest)?.details.unitPrice,
            paid.currency == currency
        else { return nil }
        return paid.thousandths
    }

    /// What the next period costs by an offer: the one that the customer has accepted, or the one that
    /// the running period was charged by and that goes on. An introductory one goes on to its end before
    /// a stacked one begins.
    private func reducedPrice(
        of subscription: Subscription, in currency: String
    ) throws -> (price: Money, offer: AppliedOffer)? {
        // A price of zero holds in every storefront; any other price only in its own currency.
        func reduced(_ price: Money, _ offer: AppliedOffer) -> (price: Money, offer: AppliedOffer)?
        {
            guard price.thousandths == 0 || price.currency == currency else { return nil }
            return (Money(thousandths: price.thousandths, currency: currency), offer)
        }
        let accepted = try offers.accepted(by: subscription.original.id)
            .flatMap { $0.product == subscription.renewalProduct ? $0 : nil }
        let next = accepted.flatMap { reduced($0.price, $0.offer) }
        if let accepted, !accepted.isStacked { return next }
        guard subscription.renewalProduct == subscription.product,
            let running = try offers.offer(of: subscription.latest)?.next,
            accepted == nil || running.kind == .introductory,
            let last = try ledger.entry(subscription.latest)
        else { return next }
        return reduced(last.details.unitPrice, running) ?? next
    }

    /// How long the periods of an account's subscriptions last.
    package func renewalSchedule(
        of account: AccountID, in environment: StoreEnvironment
    ) throws -> RenewalSchedule {
        guard environment == .sandbox else { return .calendar }
        if let schedule = sandbox.schedule { return schedule }
        return RenewalSchedule(try testers.tester(account)?.renewalRate ?? .standard)
    }

    /// The grace period: how many days customers go on when a payment fails; nil for none.
    ///
    /// - Parameter period: of the subscription; nil where its product is not sold any longer.
    func graceDays(of subscription: Subscription, period: SubscriptionPeriod?) throws -> Int? {
        let (app, environment) = (subscription.app, subscription.environment)
        if environment == .sandbox, let hasGrace = sandbox.hasGracePeriod {
            return hasGrace ? (period?.isWeekOrLess == true ? 6 : 16) : nil
        }
        guard
            let settings = try kept.resource(
                .subscriptionGracePeriods, String(app.number)),
            settings.attributes["optIn"] == .flag(true)
                || (environment == .sandbox && settings.attributes["sandboxOptIn"] == .flag(true))
        else { return nil }
        // The publisher may have none after a free trial.
        if settings.attributes["renewalType"]?.text == "PAID_TO_PAID_ONLY",
            try offers.offer(of: subscription.latest)?.paymentMode == .freeTrial
        {
            return nil
        }
        let days =
            switch settings.attributes["duration"]?.text {
            case "THREE_DAYS": 3
            case "TWENTY_EIGHT_DAYS": 28
            default: 16
            }
        return period?.isWeekOrLess == true ? min(days, 6) : days
    }

    /// Everything that decides about a subscription that is due.
    func renewalSituation(of subscription: Subscription) throws -> RenewalSituation {
        let next = try nextPeriod(of: subscription)
        let settings = try accounts.settings(of: subscription.account)
        return RenewalSituation(
            terms: next.terms, price: next.price, offer: next.offer,
            isPaymentDeclined: subscription.environment == .sandbox
                && (settings.paymentFailure != .none || sandbox.declinesRenewals),
            priceIncrease: next.priceIncrease,
            graceDays: try graceDays(of: subscription, period: next.terms?.period),
            renewalLimit: subscription.environment == .sandbox
                ? sandbox.renewalLimit : nil,
            schedule: try renewalSchedule(of: subscription.account, in: subscription.environment))
    }
}
