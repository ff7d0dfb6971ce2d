import StoreModel
import StoreWire

/// A product of the App Store or of this store, in the language and currency of the
/// customer's storefront.
open class SKProduct: NSObject, @unchecked Sendable {
    // Sendable: what it shows is constant after `init`.
    private var details: WireProduct?

    /// The unit of a subscription period.
    public typealias PeriodUnit = SKProductPeriodUnit

    public override init() {}

    package convenience init(_ details: WireProduct) {
        self.init()
        self.details = details
    }

    /// The identifier that the app asked for.
    open var productIdentifier: String { details?.productId ?? "" }
    /// The name, in the storefront's language.
    open var localizedTitle: String { details?.title ?? "" }
    /// The description, in the storefront's language.
    open var localizedDescription: String { details?.description ?? "" }
    /// What one costs, in the currency of ``priceLocale``.
    open var price: NSDecimalNumber {
        NSDecimalNumber(decimal: details?.price.decimal ?? 0)
    }
    /// The locale to format ``price`` with: the storefront's, with its currency.
    open var priceLocale: Locale {
        guard let details else { return Locale(identifier: "en_US@currency=USD") }
        // `XXX` is ISO 4217's code for no currency.
        return Locale(
            identifier: PriceLocale.identifier(details.locale, currency: details.price.currency)
                ?? "en_US@currency=XXX")
    }
    /// Whether the store hosts content for it.
    open var isDownloadable: Bool { details?.content != nil }
    /// Whether the store hosts content for it, under the name of old Macs.
    @available(*, deprecated, renamed: "isDownloadable")
    open var downloadable: Bool { isDownloadable }
    /// Bytes to download, one figure for each piece of content.
    open var downloadContentLengths: [NSNumber] {
        details?.content?.lengths.map { NSNumber(value: $0) } ?? []
    }
    /// Bytes to download, under the name of old Macs.
    @available(*, deprecated, renamed: "downloadContentLengths")
    open var contentLengths: [NSNumber] { downloadContentLengths }
    /// The version of the hosted content: integers separated by periods.
    open var downloadContentVersion: String { details?.content?.version.text ?? "" }
    /// The version of the hosted content, under its older name.
    open var contentVersion: String { downloadContentVersion }
    /// How long a subscription runs; nil for other products.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        details?.subscription.map { SKProductSubscriptionPeriod($0.period) }
    }
    /// The introductory offer of a subscription.
    open var introductoryPrice: SKProductDiscount? {
        offers { $0 == .introductory }.first
    }
    /// The group that a subscription belongs to; nil for other products.
    open var subscriptionGroupIdentifier: String? { details?.subscription?.groupID }
    /// The promotional offers of a subscription.
    open var discounts: [SKProductDiscount] { offers { $0 == .promotional } }
    /// Whether the customer's family may use it too.
    open var isFamilyShareable: Bool { details?.familyShareable ?? false }

    private func offers(
        _ isWanted: (SubscriptionOffer.Kind) -> Bool
    ) -> [SKProductDiscount] {
        (details?.subscription?.offers ?? []).filter { isWanted($0.kind) }
            .map { SKProductDiscount($0, locale: priceLocale) }
    }
}

/// How long a subscription or an offer runs.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    private var period: StoreModel.SubscriptionPeriod?

    public override init() {}

    convenience init(_ period: StoreModel.SubscriptionPeriod) {
        self.init()
        self.period = period
    }

    /// How many units.
    open var numberOfUnits: Int { period?.count ?? 0 }
    /// Days, weeks, months or years.
    open var unit: SKProduct.PeriodUnit {
        switch period?.unit {
        case .week: .week
        case .month: .month
        case .year: .year
        case .day, nil: .day
        }
    }
}

/// A reduced price of a subscription.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    private var offer: SubscriptionOffer?
    private var locale = Locale(identifier: "en_US@currency=USD")

    /// How the reduced price is paid.
    public typealias PaymentMode = SKProductDiscountPaymentMode
    /// What makes a customer eligible.
    public typealias `Type` = SKProductDiscountType

    public override init() {}

    convenience init(_ offer: SubscriptionOffer, locale: Locale) {
        self.init()
        self.offer = offer
        self.locale = locale
    }

    /// The reduced price for one period.
    open var price: NSDecimalNumber {
        NSDecimalNumber(decimal: Decimal(offer?.thousandths ?? 0) / 1000)
    }
    /// The locale to format ``price`` with.
    open var priceLocale: Locale { locale }
    /// How long one period of the offer is.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        offer.map { SKProductSubscriptionPeriod($0.period) } ?? SKProductSubscriptionPeriod()
    }
    /// For how many periods the offer is good.
    open var numberOfPeriods: Int { offer?.periodCount ?? 0 }
    /// How the reduced price is paid.
    open var paymentMode: PaymentMode {
        switch offer?.paymentMode {
        case .payUpFront: .payUpFront
        case .freeTrial: .freeTrial
        case .payAsYouGo, nil: .payAsYouGo
        }
    }
    /// The identifier of a promotional offer.
    open var identifier: String? { offer?.identifier }
    /// Whether it is introductory or promotional.
    open var type: SKProductDiscount.`Type` {
        offer?.kind == .introductory || offer == nil ? .introductory : .subscription
    }
}
