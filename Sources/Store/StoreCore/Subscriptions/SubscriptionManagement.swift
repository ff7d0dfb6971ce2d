import Foundation
import StoreModel

/// A subscription as its customer manages it.
package struct ManagedSubscription: Sendable, Hashable {
    package let subscription: Subscription
    package let app: App
    package let product: Product?
    /// What the customer can go over to within the group, the highest level first.
    package let choices: [Product]
    /// What the next period costs; nil where the product is not sold any longer.
    package let renewalPrice: Money?
}

/// Why a subscription is not changed.
package enum SubscriptionChangeRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound
    case ended
    case notInGroup(String)

    package var description: String {
        switch self {
        case .notFound: "The account has no such subscription."
        case .ended: "The subscription has ended; subscribe again in the app."
        case .notInGroup(let product): "There is no subscription \(product) in the same group."
        }
    }
}

/// Lets customers end subscriptions, take them up again, and choose what they go on with.
package struct SubscriptionManagement: Sendable {
    private let database: any StoreDatabase
    private let clock: any StoreClock
    private let changed: @Sendable (AccountID) -> Void

    /// - Parameter changed: hears of accounts whose devices have news.
    package init(
        database: any StoreDatabase, clock: any StoreClock,
        changed: @escaping @Sendable (AccountID) -> Void = { _ in }
    ) {
        self.database = database
        self.clock = clock
        self.changed = changed
    }

    /// Everything that an account subscribes to or has subscribed to, the newest first.
    package func subscriptions(of account: AccountID) async throws -> [ManagedSubscription] {
        let now = clock.now()
        return try await database.read { repositories in
            try repositories.renewals.subscriptions(of: account)
                .compactMap { try Self.managed($0, repositories, at: now) }
                .sorted { $1.subscription.start < $0.subscription.start }
        }
    }

    /// One that an account subscribes to or has subscribed to; nil where it has no such one.
    package func subscription(
        _ original: TransactionID, of account: AccountID
    ) async throws -> ManagedSubscription? {
        let now = clock.now()
        return try await database.read { repositories in
            guard let found = try repositories.renewals.subscription(original),
                found.account == account, found.state != .cleared
            else { return nil }
            return try Self.managed(found, repositories, at: now)
        }
    }

    /// Switches renewing on or off.
    ///
    /// - Throws: `SubscriptionChangeRefusal`.
    @discardableResult
    package func setRenews(
        _ renews: Bool, of original: TransactionID, by account: AccountID
    ) async throws -> Subscription {
        try await change(original, of: account) { subscription, _ in
            subscription.renews = renews
            subscription.intent = renews ? nil : .cancelled
        }
    }

    /// Chooses the product that a subscription goes on with.
    ///
    /// - Parameter renews: switches renewing on as well, where it was off.
    /// - Throws: `SubscriptionChangeRefusal`.
    @discardableResult
    package func setRenewalProduct(
        _ product: ProductID, of original: TransactionID, by account: AccountID,
        renews: Bool = false
    ) async throws -> Subscription {
        let now = clock.now()
        return try await change(original, of: account) { subscription, repositories in
            guard let found = try repositories.catalog.product(product, in: subscription.app),
                try Self.canGoOn(subscription, with: found, repositories, at: now)
            else { throw SubscriptionChangeRefusal.notInGroup(product.text) }
            subscription.renewalProduct = product
            if renews {
                subscription.renews = true
                subscription.intent = nil
            }
        }
    }

    private func change(
        _ original: TransactionID, of account: AccountID,
        _ change: @escaping @Sendable (inout Subscription, any StoreRepositories) throws -> Void
    ) async throws -> Subscription {
        let now = clock.now()
        let subscription = try await database.write { repositories in
            guard let earlier = try repositories.renewals.subscription(original),
                earlier.account == account, earlier.state != .cleared
            else { throw SubscriptionChangeRefusal.notFound }
            guard earlier.state.isRunning else { throw SubscriptionChangeRefusal.ended }
            var next = earlier
            try change(&next, repositories)
            try SubscriptionChange.save(next, over: earlier, repositories, at: now)
            return next
        }
        changed(account)
        return subscription
    }

    private static func managed(
        _ subscription: Subscription, _ repositories: any StoreRepositories, at date: Date
    ) throws -> ManagedSubscription? {
        guard let app = try repositories.catalog.app(subscription.app) else { return nil }
        let choices = try repositories.catalog.products(of: app.id).filter {
            try canGoOn(subscription, with: $0, repositories, at: date)
        }
        return ManagedSubscription(
            subscription: subscription, app: app,
            product: try repositories.catalog.product(subscription.product, in: app.id),
            choices: choices.sorted {
                ($0.details.subscription?.level ?? 0, $0.details.productID.text)
                    < ($1.details.subscription?.level ?? 0, $1.details.productID.text)
            },
            renewalPrice: try SubscriptionReading(repositories, at: date)
                .price(of: subscription).price)
    }

    /// Whether a subscription can go on with a product: one of its group that is sold where the
    /// customer is.
    private static func canGoOn(
        _ subscription: Subscription, with product: Product,
        _ repositories: any StoreRepositories, at date: Date
    ) throws -> Bool {
        let details = product.details
        guard details.subscription?.groupID == subscription.group, !product.isDeleted,
            !details.state.isRemovedFromSale,
            subscription.environment == .sandbox || details.state == .approved,
            let account = try repositories.accounts.account(subscription.account)
        else { return false }
        return product.price(in: account.storefront, at: date) != nil
    }
}
