import StoreDatabase
import StoreModel

/// An offer that a period of a subscription was charged by, or will be.
package struct AppliedOffer: Sendable, Hashable, Codable {
    package var kind: SubscriptionOffer.Kind
    /// Nil for an introductory offer.
    package var identifier: String?
    package var paymentMode: SubscriptionOffer.PaymentMode
    package var period: SubscriptionPeriod
    package var periodCount: Int
    /// Which of its charges it is, from 1.
    package var number: Int

    /// A charge by an offer, the first unless it says another.
    package init(_ offer: SubscriptionOffer, number: Int = 1) {
        kind = offer.kind
        identifier = offer.identifier
        paymentMode = offer.paymentMode
        period = offer.period
        periodCount = offer.periodCount
        self.number = number
    }

    /// The charge after this one; nil where the offer is over.
    package var next: AppliedOffer? {
        guard paymentMode == .payAsYouGo, number < periodCount else { return nil }
        var next = self
        next.number += 1
        return next
    }

    /// How long what is charged lasts.
    package var chargedPeriod: SubscriptionPeriod {
        SubscriptionOffer(
            kind: kind, identifier: identifier, paymentMode: paymentMode, period: period,
            periodCount: periodCount, thousandths: 0
        ).chargedPeriod
    }
}

extension AppliedOffer: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        kind = try column("offer_kind", \.kind)
        identifier = try column("offer_identifier", \.identifier)
        paymentMode = try column("offer_mode", \.paymentMode)
        period = try column("offer_period", \.period)
        periodCount = try column("offer_periods", \.periodCount)
        number = try column("offer_number", \.number)
    }
}

extension SubscriptionOffer.Kind: TextColumnValue {}
extension SubscriptionOffer.PaymentMode: TextColumnValue {}

extension SubscriptionPeriod: TextColumnValue {
    package init?(columnText: String) { self.init(iso8601: columnText) }
    package var columnText: String { iso8601 }
    package static func sample(_ number: Int) -> SubscriptionPeriod {
        SubscriptionPeriod(unit: .day, count: 1 + number % 300)
    }
}

/// The offer that a subscription goes on with when its period ends, because its customer accepted it
/// while the period ran, or along with the introductory offer that the subscription began with.
package struct AcceptedOffer: Sendable, Hashable {
    /// The subscription.
    package let original: TransactionID
    /// The product that it is for.
    package let product: ProductID
    package let offer: AppliedOffer
    /// What each charge is.
    package let price: Money
    /// Whether it waits for the end of the introductory offer.
    package let isStacked: Bool

    init(
        _ offer: SubscriptionOffer, of subscription: Subscription, for product: ProductID,
        currency: String, isStacked: Bool
    ) {
        original = subscription.original.id
        self.product = product
        self.offer = AppliedOffer(offer)
        price = Money(thousandths: offer.thousandths, currency: currency)
        self.isStacked = isStacked
    }
}

extension AcceptedOffer: Record {
    package static let table: StaticString = "accepted_offer"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        original = try column("original", \.original, .key)
        product = try column("product_id", \.product)
        offer = try column.part(\.offer)
        price = try column.money("price", "currency", \.price)
        isStacked = try column("is_stacked", \.isStacked)
    }
}

/// The offer of a charge that was made.
struct ChargedOffer: Sendable, Hashable {
    let id: TransactionID
    let account: AccountID
    let app: AppID
    let group: String
    let offer: AppliedOffer

    /// - Parameter id: the transaction of the period that was charged.
    init(_ id: TransactionID, of subscription: Subscription, _ offer: AppliedOffer) {
        self.id = id
        account = subscription.account
        app = subscription.app
        group = subscription.group
        self.offer = offer
    }
}

extension ChargedOffer: Record {
    package static let table: StaticString = "ledger_offer"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        account = try column("account", \.account)
        app = try column("app", \.app)
        group = try column("group_id", \.group)
        offer = try column.part(\.offer)
    }
}
