import Foundation
import StoreModel

/// What an order does to a subscription that the account has in the product's group.
package enum SubscriptionOrder: Sendable, Hashable {
    /// A first period, or one after an end; it is charged.
    case begin
    /// The better, or equal, product begins now; it is charged.
    case upgrade
    /// The lesser product begins when the running period ends.
    case downgrade
    /// It is subscribed already: it goes on being renewed.
    case keep
    /// The payment that failed is made: for the period of the product that was subscribed, or of the one
    /// that the customer had chosen to go on with.
    case recover

    package var isCharged: Bool {
        switch self {
        case .begin, .upgrade, .recover: true
        case .downgrade, .keep: false
        }
    }

    /// - Parameters:
    ///   - current: the terms of the product that is subscribed; nil where it is deleted.
    package init(
        of product: ProductID, _ terms: SubscriptionTerms, over subscription: Subscription?,
        current: SubscriptionTerms?, at now: Date
    ) {
        guard let subscription, subscription.state.isRunning else {
            self = .begin
            return
        }
        if subscription.state != .active {
            self =
                [subscription.product, subscription.renewalProduct].contains(product)
                ? .recover : .begin
        } else if subscription.expiration <= now {
            // Due, and not looked at yet.
            self = .begin
        } else if subscription.product == product {
            self = .keep
        } else if let current, terms.isLesser(than: current) {
            self = .downgrade
        } else {
            self = .upgrade
        }
    }
}

extension SubscriptionTerms {
    /// Whether a change from another product to this one is a downgrade, which waits for the end of the
    /// running period: to a worse level, or to periods of another length at the same level.
    func isLesser(than current: SubscriptionTerms) -> Bool {
        level > current.level || (level == current.level && period != current.period)
    }
}

extension Subscription {
    /// What an order for a product of the group does now, wherever it comes from: an app, the
    /// customer's page or a command.
    ///
    /// - Parameter current: the product that is subscribed; nil where it is deleted.
    package func order(for product: Product, over current: Product?, at now: Date)
        -> SubscriptionOrder?
    {
        product.details.subscription.map {
            SubscriptionOrder(
                of: product.details.productID, $0, over: self,
                current: current?.details.subscription, at: now)
        }
    }
}
