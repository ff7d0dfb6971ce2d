import Foundation
import StoreDatabase
import StoreModel

/// An account's subscription to a group of products, as it stands.
package struct Subscription: Sendable, Hashable {
    package enum State: String, Hashable, Codable, CaseIterable, TextColumnValue {
        case active
        case expired
        /// The payment failed, and the store tries on; the customer has nothing meanwhile.
        case retry
        /// The payment failed, and the store tries on; the customer goes on meanwhile.
        case grace
        /// What was paid for the running period was given back.
        case revoked
        /// The tester's history was cleared: apps see nothing of it.
        case cleared

        /// Whether the store has to do something about it some day.
        package var isRunning: Bool { isEntitled || self == .retry }

        /// Whether the customer has what they subscribed to.
        package var isEntitled: Bool { Self.entitled.contains(self) }

        static let entitled: [Self] = [.active, .grace]
    }

    /// Why it ended, or will: as signed renewal information says it.
    package enum ExpirationIntent: Int, Sendable, Hashable, Codable, CaseIterable {
        case cancelled = 1
        case billingError = 2
        case priceIncreaseRefused = 3
        case productUnavailable = 4
        case other = 5
    }

    /// The first purchase of it.
    package let original: LedgerOriginal
    package let account: AccountID
    package let environment: StoreEnvironment
    package let app: AppID
    package let group: String
    /// Of the running or last period.
    package var product: ProductID
    /// What it goes on with.
    package var renewalProduct: ProductID
    /// Whether its customer wants it to go on.
    package var renews: Bool
    package var state: State
    /// The transaction of the running or last period.
    package var latest: TransactionID
    /// When the last unbroken time of being subscribed began.
    package var start: Date
    package var expiration: Date
    package var graceEnd: Date?
    package var retryEnd: Date?
    package var intent: ExpirationIntent?
    /// How often it was renewed since it was started.
    package var renewals: Int = 0
    /// When the store looks at it next; nil for never.
    package var due: Date?
    /// When its customer last ordered, resumed or changed it. The customer saw the price of that day, so
    /// earlier answers about the price don't count.
    package var chosen: Date
    /// The day of the month on which its periods begin, where the month is long enough. A subscription of
    /// 31 January is renewed on 28 February, and then on 31 March. `nil` for subscriptions of earlier
    /// versions of the store.
    package var anchorDay: Int?
    /// The token that its customer's app named when it changed what it goes on with; `nil` for that of the
    /// running period.
    package var accountToken: String?

    /// The number that servers know the state by.
    package var status: Int {
        switch state {
        case .active: 1
        case .expired, .cleared: 2
        case .retry: 3
        case .grace: 4
        case .revoked: 5
        }
    }

    /// Whether the store renews it when the period ends. A subscription that has ended, or whose period
    /// was refunded, is not renewed.
    package var isRenewing: Bool { renews && state.isRunning }

    /// Why a subscription ends that is not to be renewed: its customer has cancelled it or refused a higher
    /// price.
    var cancellation: ExpirationIntent {
        intent == .priceIncreaseRefused ? .priceIncreaseRefused : .cancelled
    }

    /// Until when the customer has it, whether it is paid for or given by grace; `nil` where they have it no
    /// longer.
    package var entitlementEnd: Date? { state.isEntitled ? graceEnd ?? expiration : nil }

    /// Switches renewing on or off. A customer who cancels keeps the grace period; the store does not try
    /// the payment again.
    ///
    /// - Parameter intent: why it is switched off.
    mutating func setRenews(
        _ renews: Bool, because intent: ExpirationIntent = .cancelled, at date: Date
    ) {
        guard renews != self.renews else { return }
        self.renews = renews
        self.intent = !renews ? intent : state == .active ? nil : .billingError
        if renews { chosen = date }
        guard state != .active else { return }
        due = renews || state == .retry ? date : graceEnd
    }

    /// Ends it, for now: a customer can begin it again.
    mutating func end(_ state: State, _ intent: ExpirationIntent?) {
        self.state = state
        self.intent = intent ?? self.intent
        graceEnd = nil
        retryEnd = nil
        due = nil
    }

    /// Gives the period again that was taken back: it goes on as its customer wanted it to, or
    /// ends, when the period does.
    mutating func goOn(at date: Date) {
        let ending = cancellation
        guard expiration > date else {
            // Nobody is charged for a period that would begin because an old one was paid for.
            end(.expired, renews ? .other : ending)
            renews = false
            return
        }
        state = .active
        intent = renews ? nil : ending
        due = expiration
    }
}

/// With the date of the first purchase of it.
extension Subscription: Record {
    package static let table: StaticString = "subscription"
    package static let source: StaticString = """
        (SELECT s.*, l.date AS original_date
            FROM subscription s JOIN ledger l ON l.id = s.original) subscriptions
        """

    /// Always nil: saving a row clears `set_aside`.
    private var unreadable: String? { nil }

    package init(_ column: borrowing RecordColumns<Self>) throws {
        original = LedgerOriginal(
            id: try column("original", \.original.id, .key),
            date: try column("original_date", \.original.date, .joined))
        account = try column("account", \.account, .immutable)
        environment = try column("environment", \.environment, .immutable)
        app = try column("app", \.app, .immutable)
        group = try column("group_id", \.group, .immutable)
        product = try column("product_id", \.product)
        renewalProduct = try column("renewal_product_id", \.renewalProduct)
        renews = try column("renews", \.renews)
        state = try column("state", \.state)
        latest = try column("latest", \.latest)
        start = try column("started", \.start)
        expiration = try column("expires", \.expiration)
        graceEnd = try column("grace_end", \.graceEnd)
        retryEnd = try column("retry_end", \.retryEnd)
        intent = try column("intent", \.intent)
        renewals = try column("renewals", \.renewals)
        due = try column("due", \.due)
        chosen = try column("chosen", \.chosen)
        anchorDay = try column("anchor_day", \.anchorDay)
        accountToken = try column("account_token", \.accountToken)
        column.derived("set_aside", \.unreadable)
    }
}

extension Subscription.ExpirationIntent: RawNumberColumnValue {}

/// What signed renewal information says of a subscription.
package struct RenewalInformation: Sendable, Hashable, Codable {
    /// How a question about a higher price stands.
    package enum PriceIncrease: Int, Sendable, Hashable, Codable {
        case unanswered = 0
        case agreed = 1
    }

    package var originalID: TransactionID
    package var product: ProductID
    package var renewalProduct: ProductID
    package var renews: Bool
    package var intent: Subscription.ExpirationIntent?
    package var isInRetry: Bool
    package var priceIncrease: PriceIncrease?
    package var graceEnd: Date?
    package var start: Date
    /// When it is renewed or ends.
    package var renewalDate: Date
    /// Nil where the product is not sold any longer.
    package var renewalPrice: Money?
    /// The offer that the price is of.
    package var offer: AppliedOffer?
    /// The names of the win-back offers that the customer may have; nil for none.
    package var winBackOffers: [String]?
    package var status: Int
    package var accountToken: String?

    package init(
        _ subscription: Subscription, renewalPrice: Money?, offer: AppliedOffer? = nil,
        priceIncrease: PriceIncrease?, accountToken: String?
    ) {
        self.offer = offer
        self.originalID = subscription.original.id
        self.product = subscription.product
        self.renewalProduct = subscription.renewalProduct
        self.renews = subscription.isRenewing
        self.intent = subscription.intent
        self.isInRetry = subscription.state == .retry || subscription.state == .grace
        self.priceIncrease = priceIncrease
        self.graceEnd = subscription.graceEnd
        self.start = subscription.start
        self.renewalDate = subscription.expiration
        self.renewalPrice = renewalPrice
        self.status = subscription.status
        self.accountToken = accountToken
    }
}
