import Foundation
import StoreModel

/// Reads what belongs to a subscription, inside a transaction.
package struct SubscriptionReading {
    private let repositories: StoreRepositories
    private let date: Date

    package init(_ repositories: StoreRepositories, at date: Date) {
        self.repositories = repositories
        self.date = date
    }

    /// What signed renewal information says of it.
    package func information(on subscription: Subscription) throws -> RenewalInformation {
        let record = try repositories.transactions.record(subscription.latest)
        let increase = try priceIncrease(for: subscription)
        return RenewalInformation(
            subscription, renewalPrice: try price(of: subscription).price,
            priceIncrease: increase == .none ? nil : increase == .agreed ? .agreed : .unanswered,
            accountToken: record?.facts.accountToken)
    }

    /// What the subscription would go on with, and what that costs its customer today.
    func price(
        of subscription: Subscription
    ) throws -> (terms: SubscriptionTerms?, price: Money?) {
        guard
            let product = try repositories.catalog.product(
                subscription.renewalProduct, in: subscription.app),
            !product.isDeleted, !product.details.state.isRemovedFromSale,
            let account = try repositories.accounts.account(subscription.account)
        else { return (nil, nil) }
        return (
            product.details.subscription, product.price(in: account.storefront, at: date)
        )
    }

    /// How long the periods of an account's subscriptions last.
    func pace(of account: AccountID, in environment: StoreEnvironment) throws -> RenewalPace {
        guard environment == .sandbox else { return .calendar }
        if let pace = repositories.sandbox.pace { return pace }
        return RenewalPace(try repositories.testers.tester(account)?.renewalRate ?? .standard)
    }

    func priceIncrease(
        for subscription: Subscription
    ) throws -> RenewalSituation.PriceIncrease {
        try repositories.renewals.priceIncrease(
            of: subscription.renewalProduct, account: subscription.account,
            app: subscription.app, since: subscription.start)
    }

    /// How many days customers go on when a payment fails; nil for none.
    ///
    /// - Parameter period: of the subscription; nil where its product is not sold any longer.
    func graceDays(
        of app: AppID, in environment: StoreEnvironment, period: SubscriptionPeriod?
    ) throws -> Int? {
        if environment == .sandbox, let hasGrace = repositories.sandbox.hasGracePeriod {
            return hasGrace ? (period?.isWeekOrLess == true ? 6 : 16) : nil
        }
        guard
            let settings = try repositories.kept.resource(
                .subscriptionGracePeriods, String(app.number)),
            settings.attributes["optIn"] == .flag(true)
                || (environment == .sandbox && settings.attributes["sandboxOptIn"] == .flag(true))
        else { return nil }
        return switch settings.attributes["duration"]?.text {
        case "THREE_DAYS": 3
        case "TWENTY_EIGHT_DAYS": 28
        default: 16
        }
    }

    /// Everything that decides about a subscription that is due.
    func situation(of subscription: Subscription) throws -> RenewalSituation {
        let (terms, price) = try price(of: subscription)
        let settings = try repositories.accounts.settings(of: subscription.account)
        return RenewalSituation(
            terms: terms, price: price,
            isPaymentDeclined: subscription.environment == .sandbox
                && (settings.paymentFailure != .none || repositories.sandbox.declinesRenewals),
            priceIncrease: try priceIncrease(for: subscription),
            graceDays: try graceDays(
                of: subscription.app, in: subscription.environment, period: terms?.period),
            renewalLimit: subscription.environment == .sandbox
                ? repositories.sandbox.renewalLimit : nil,
            pace: try pace(of: subscription.account, in: subscription.environment))
    }
}
