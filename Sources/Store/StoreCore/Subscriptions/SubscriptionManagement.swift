import Foundation
import StoreModel

/// A subscription as its customer manages it.
package struct ManagedSubscription: Sendable, Hashable {
    package let subscription: Subscription
    package let app: App
    package let product: Product?
    /// What the next period is one of. Nil if it is deleted for good.
    package let renewalProduct: Product?
    /// What the customer can go over to within the group, the highest level first.
    package let choices: [Product]
    /// What the next period costs; nil where the product is not sold any longer.
    package let renewalPrice: Money?
    /// The same without an offer.
    package let fullPrice: Money?
    /// The higher price that the customer was asked about in the app and has not answered.
    package let askedPrice: Money?
    /// How long the next period is, where an offer says it.
    package let renewalPeriod: SubscriptionPeriod?
    /// The customer's time when it was read.
    package let date: Date

    /// The highest price of a period after resuming. Nil if the product is not sold any longer.
    package let resumingPrice: Money?

    /// The asked price, if the subscription ends with its period unless the customer agrees to it. Nil during
    /// an offer: the customer has agreed to the price of the offer.
    package var neededAgreement: Money? {
        subscription.isRenewing && subscription.state == .active && renewalPrice != nil
            && renewalPeriod == nil ? askedPrice : nil
    }

    /// Whether going over to a product begins it at once, and charges it.
    package func isUpgrade(to choice: Product) -> Bool {
        subscription.order(for: choice, over: product, at: date) == .upgrade
    }
}

/// Why a subscription is not changed.
package enum SubscriptionChangeRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound
    case ended
    case notInGroup(String)
    /// It costs something else by now.
    case priceChanged(Money)
    /// The payment for an upgrade was declined.
    case paymentDeclined
    /// Somebody else approves what the account buys, or its purchases are interrupted: the app can
    /// ask for that.
    case onlyInApp

    package var description: String {
        switch self {
        case .notFound:
            "The account has no such subscription. A subscription is named by the number of its first "
                + "transaction."
        case .ended: "The subscription has ended; subscribe again in the app."
        case .notInGroup(let product):
            "The group has no subscription \(product) that is on sale to this customer."
        case .priceChanged(let price):
            "The price is now \(price.decimal) \(price.currency). Nothing was charged; look at "
                + "the new price and decide again."
        case .paymentDeclined: "The payment was declined. Nothing was charged."
        case .onlyInApp:
            "This purchase needs an approval, or the tester's settings interrupt it. Nothing was charged. "
                + "Subscribe in the app, which asks for what is missing."
        }
    }
}

/// Lets customers end subscriptions, take them up again, and choose what they go on with.
package struct SubscriptionManagement: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Everything that an account subscribes to or has subscribed to, the newest first.
    package func subscriptions(of account: AccountID) async throws -> [ManagedSubscription] {
        try await shop.read { work in
            try work.renewals.subscriptions(of: account)
                .compactMap { subscription in
                    try Self.managed(
                        subscription, work.at(.account(account, app: subscription.app)))
                }
                .sorted { $1.subscription.start < $0.subscription.start }
        }
    }

    /// One that an account subscribes to or has subscribed to; nil where it has no such one.
    package func subscription(
        _ original: TransactionID, of account: AccountID
    ) async throws -> ManagedSubscription? {
        try await shop.read(for: .buyer(of: original)) { work in
            guard let found = try work.renewals.subscription(original),
                found.account == account, found.state != .cleared
            else { return nil }
            return try Self.managed(found, work)
        }
    }

    /// Switches renewing on or off. Who switches it on agrees to the higher price that they were asked about.
    ///
    /// - Parameter price: `resumingPrice` as the page showed it. Nil for a command, which shows no price.
    /// - Throws: `SubscriptionChangeRefusal`.
    @discardableResult
    package func setRenews(
        _ renews: Bool, of original: TransactionID, by account: AccountID,
        expecting price: Money? = nil
    ) async throws -> Subscription {
        try await shop.write(for: .buyer(of: original)) { work in
            let earlier = try Self.running(original, of: account, work)
            var next = earlier
            next.setRenews(renews, at: work.now)
            var agreed = false
            if renews, !earlier.renews {
                let highest = try work.nextPeriod(of: earlier).highestPrice
                try Self.require(price, toBe: highest)
                if let highest {
                    agreed = try work.offers.agree(
                        to: highest, for: next.renewalProduct, account: account, app: next.app,
                        at: work.now)
                }
            }
            try work.saveChange(of: next, over: earlier, agreed: agreed)
            guard next.state == .retry, !renews else { return next }
            // Nothing is tried again: it ends here.
            try work.takeDueStep(of: original)
            return try work.renewals.subscription(original) ?? next
        }
    }

    /// Chooses the product that a subscription goes on with. A better one begins at once, and is
    /// charged, as when an app orders it; another one begins with the next period.
    ///
    /// - Parameters:
    ///   - renews: switches renewing on as well, where it was off.
    ///   - price: what the customer saw; nil where nobody looks.
    /// - Throws: `SubscriptionChangeRefusal`.
    @discardableResult
    package func setRenewalProduct(
        _ product: ProductID, of original: TransactionID, by account: AccountID,
        renews: Bool = false, expecting price: Money? = nil
    ) async throws -> Subscription {
        // A value, not an error: the payment that was declined on purpose is noted.
        let result: Result<Subscription, SubscriptionChangeRefusal> = try await shop.write(
            for: .buyer(of: original)
        ) { work in
            let earlier = try Self.running(original, of: account, work)
            guard let app = try work.catalog.app(earlier.app),
                let found = try work.catalog.product(product, in: earlier.app),
                try Self.canGoOn(earlier, with: found, of: app, work)
            else { throw SubscriptionChangeRefusal.notInGroup(product.text) }
            let current = try work.catalog.product(earlier.product, in: earlier.app)
            if earlier.order(for: found, over: current, at: work.now) == .upgrade {
                return try Self.upgrade(earlier, to: found, expecting: price, work)
            }
            guard product != earlier.renewalProduct || renews && !earlier.renews else {
                return .success(earlier)
            }
            let storefront = try work.accounts.account(account)?.storefront
            let seen = storefront.flatMap { found.price(in: $0, at: work.now) }
            try Self.require(price, toBe: seen)
            var next = earlier
            next.renewalProduct = product
            next.chosen = work.now
            if renews { next.setRenews(true, at: work.now) }
            var agreed = false
            if product != earlier.renewalProduct {
                try work.offers.closeConsents(
                    about: product, account: account, app: next.app, at: work.now)
            } else if let seen {
                agreed = try work.offers.agree(
                    to: seen, for: product, account: account, app: next.app, at: work.now)
            }
            try work.saveChange(of: next, over: earlier, agreed: agreed)
            return .success(next)
        }
        return try result.get()
    }

    /// Sells the better product, by the same writing as an app's order.
    private static func upgrade(
        _ subscription: Subscription, to product: Product, expecting seen: Money?,
        _ work: UnitOfWork
    ) throws -> Result<Subscription, SubscriptionChangeRefusal> {
        guard let last = try work.ledger.entry(subscription.latest),
            let account = try work.accounts.account(subscription.account),
            let price = product.price(in: account.storefront, at: work.now)
        else { return .failure(.notFound) }
        guard seen == nil || seen == price else { return .failure(.priceChanged(price)) }
        var draft = last.details
        draft.kind = .purchase
        draft.productID = product.details.productID
        draft.productType = product.details.type
        draft.storefront = account.storefront
        // One key for each period that is left, which no device can use.
        draft.key = "upgrade.\(subscription.original.id).\(subscription.latest)"
        draft.unitPrice = price
        draft.charged = price
        draft.applicationUsername = nil
        draft.date = work.now
        var settings = try work.accounts.settings(of: account.id)
        if PurchaseRules.isDeclined(draft, settings: settings) {
            if settings.paymentFailure == .next {
                settings.paymentFailure = .none
                try work.accounts.set(settings, of: account.id)
            }
            return .failure(.paymentDeclined)
        }
        guard !settings.asksToBuy, !settings.interruptsPurchases else {
            return .failure(.onlyInApp)
        }
        _ = try SaleWriter(draft, of: product, work).insert()
        try work.events.append(
            DeviceEventDraft(account: account.id, app: subscription.app, kind: .transactions),
            at: work.now)
        guard let upgraded = try work.renewals.subscription(subscription.original.id)
        else { return .failure(.notFound) }
        return .success(upgraded)
    }

    /// Refuses a change if the price is not the one that the page showed.
    ///
    /// - Parameter seen: the price on the page. Nil for a command, which shows no price.
    /// - Throws: `SubscriptionChangeRefusal.priceChanged`.
    private static func require(_ seen: Money?, toBe price: Money?) throws {
        guard let seen, let price, seen != price else { return }
        throw SubscriptionChangeRefusal.priceChanged(price)
    }

    private static func running(
        _ original: TransactionID, of account: AccountID, _ work: UnitOfWork
    ) throws -> Subscription {
        guard let found = try work.renewals.subscription(original),
            found.account == account, found.state != .cleared
        else { throw SubscriptionChangeRefusal.notFound }
        guard found.state.isRunning else { throw SubscriptionChangeRefusal.ended }
        return found
    }

    private static func managed(
        _ subscription: Subscription, _ work: UnitOfWork
    ) throws -> ManagedSubscription? {
        guard let app = try work.catalog.app(subscription.app) else { return nil }
        let choices = try work.catalog.products(of: app.id).filter {
            try canGoOn(subscription, with: $0, of: app, work)
        }
        let next = try work.nextPeriod(of: subscription)
        return ManagedSubscription(
            subscription: subscription, app: app,
            product: try work.catalog.product(subscription.product, in: app.id),
            renewalProduct: try work.catalog.product(subscription.renewalProduct, in: app.id),
            choices: choices.sorted {
                ($0.details.subscription?.level ?? 0, $0.details.productID.text)
                    < ($1.details.subscription?.level ?? 0, $1.details.productID.text)
            },
            renewalPrice: next.price, fullPrice: next.fullPrice, askedPrice: next.askedPrice,
            renewalPeriod: next.offer?.chargedPeriod, date: work.now,
            resumingPrice: next.highestPrice)
    }

    /// Whether a subscription can go on with a product: one of its group that is sold where the
    /// customer is.
    private static func canGoOn(
        _ subscription: Subscription, with product: Product, of app: App, _ work: UnitOfWork
    ) throws -> Bool {
        let details = product.details
        guard details.subscription?.groupID == subscription.group, !product.isDeleted,
            !details.state.isRemovedFromSale,
            subscription.environment == .sandbox || details.state == .approved,
            let account = try work.accounts.account(subscription.account),
            try work.catalog.hasPaidAgreement(of: app.id)
        else { return false }
        return product.price(in: account.storefront, at: work.now) != nil
    }
}
