import Foundation
import StoreCore
import StoreModel
import StoreTexts

/// How a subscription stands, as its customer reads it.
struct SubscriptionStrings {
    let managed: ManagedSubscription
    let account: Account
    let frame: StorefrontFrame

    private var subscription: Subscription { managed.subscription }
    private func moment(_ date: Date) -> HTML { AccountComponent(frame: frame).moment(date) }

    /// A product as the customer reads it.
    func title(_ product: Product?, _ id: ProductID) -> String {
        product?.text(in: account.storefront, environment: account.environment).title ?? id.text
    }

    var title: String { title(managed.product, subscription.product) }

    /// What it goes on with.
    var renewalTitle: String { title(renewalProduct, subscription.renewalProduct) }

    var renewalProduct: Product? { managed.renewalProduct }

    func price(_ money: Money) -> String {
        StorefrontFormatting.price(money, in: account.storefront)
    }

    /// `per month`, `every 3 months`.
    static func span(_ period: SubscriptionPeriod?) -> String {
        guard let period else { return "" }
        return period.count == 1 ? "per \(period.words)" : Texts.english.frequency(of: period)
    }

    /// Whether it is renewed, as far as one can tell.
    var goesOn: Bool {
        subscription.renews && managed.renewalPrice != nil && managed.neededAgreement == nil
    }

    var mark: HTML {
        switch subscription.state {
        case .active:
            goesOn
                ? OrderComponents.mark("Active", "mark good")
                : OrderComponents.mark("Ends", "mark warm")
        case .grace where !subscription.renews: OrderComponents.mark("Ends", "mark warm")
        case .grace, .retry: OrderComponents.mark("Payment failed", "mark alarm")
        case .expired, .cleared: OrderComponents.mark("Ended", "mark")
        case .revoked: OrderComponents.mark("Refunded", "mark")
        }
    }

    /// The end of what the customer has, or of the last period.
    private var end: Date { subscription.entitlementEnd ?? subscription.expiration }

    /// What happens next, in one sentence.
    var sentence: [HTML] {
        switch subscription.state {
        case .active where goesOn:
            let other =
                subscription.renewalProduct == subscription.product
                ? [] : [.text(" as "), HTML.foreign(renewalTitle)]
            let cost = managed.renewalPrice.map { [HTML.text(", for \(price($0))")] } ?? []
            return [.text("Renews on "), moment(subscription.expiration)] + other + cost
        case .active:
            let condition = managed.neededAgreement.map {
                [HTML.text(", unless you agree to \(price($0)) in the app")]
            }
            return [.text("Ends on "), moment(subscription.expiration)] + (condition ?? [])
        case .grace where !subscription.renews: return [.text("Ends on "), moment(end)]
        case .grace:
            return [
                .text("You go on until "), moment(end),
                .text("; the store tries to charge you again"),
            ] + otherProduct
        case .retry:
            return [
                .text("The store tries to charge you until "),
                moment(subscription.retryEnd ?? subscription.expiration),
            ] + otherProduct
        case .expired, .cleared: return [.text("Ended on "), moment(subscription.expiration)]
        case .revoked: return [.text("It ended when you got your money back")]
        }
    }

    /// What a failed payment is for, where that is another product than the last period was of.
    private var otherProduct: [HTML] {
        guard subscription.renewalProduct != subscription.product else { return [] }
        return [.text(", for "), HTML.foreign(renewalTitle)]
            + (managed.renewalPrice.map { [HTML.text(" at \(price($0))")] } ?? [])
    }

    /// More about it, where there is something to do or to know.
    var note: String? {
        switch subscription.state {
        case .grace where !subscription.renews:
            "The payment failed, and automatic renewal is off, so the store does not try again."
        case .grace:
            "The payment failed. You keep what you have while the store tries again."
        case .retry:
            "The payment failed, so your access has ended. It returns as soon as a payment "
                + "succeeds."
        case .active where subscription.renews && managed.renewalPrice == nil:
            "It is not sold any longer, and ends by itself."
        case .active where managed.neededAgreement != nil:
            "The price goes up. The app asks you whether you agree."
        case .active, .expired, .cleared, .revoked: nil
        }
    }
}
