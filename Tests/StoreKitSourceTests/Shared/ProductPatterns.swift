import StoreKit
import Testing

// Products of StoreKit 2, read as apps do. No store answers here: what needs a product only has to
// compile.

/// What apps add to the framework's types.
extension Product.SubscriptionPeriod.Unit {
    fileprivate var shortName: String {
        switch self {
        case .day: return "d"
        case .week: return "w"
        case .month: return "m"
        case .year: return "y"
        @unknown default: return "?"
        }
    }
}

extension Product {
    fileprivate var isSubscription: Bool { type == .autoRenewable || type == .nonRenewable }

    /// The price of a week, for comparisons.
    fileprivate var weeklyPrice: Decimal? {
        guard let period = subscription?.subscriptionPeriod else { return nil }
        switch (period.unit, period.value) {
        case (.day, let days): return price / Decimal(days) * 7
        case (.week, let weeks): return price / Decimal(weeks)
        case (.month, let months): return price / Decimal(months * 52 / 12)
        case (.year, let years): return price / Decimal(years * 52)
        @unknown default: return nil
        }
    }
}

/// The shelves of a shop, in the style of Apple's samples.
private struct Shelves {
    var fuel: [Product] = []
    var cars: [Product] = []
    var subscriptions: [Product] = []
    var nonRenewables: [Product] = []

    init(_ products: [StoreKit.Product]) {
        for product in products {
            switch product.type {
            case .consumable: fuel.append(product)
            case .nonConsumable: cars.append(product)
            case .autoRenewable: subscriptions.append(product)
            case .nonRenewable: nonRenewables.append(product)
            default: print("Unknown product: \(product)")
            }
        }
        fuel = fuel.sorted { $0.price < $1.price }
    }

    var byType: [Product.ProductType: [Product]] {
        Dictionary(grouping: fuel + cars, by: \.type)
    }

    func product(_ id: Product.ID) -> Product? { Set(cars).first { $0.id == id } }
}

/// The words of a screen that offers products.
private struct Offer {
    let product: Product

    var lines: [String] {
        var lines = [
            product.displayName, product.description, product.displayPrice,
            product.price.formatted(product.priceFormatStyle), product.type.rawValue,
            product.type.localizedDescription, product.debugDescription,
            (product.price * 12).formatted(product.priceFormatStyle),
        ]
        if product.isFamilyShareable, product.isSubscription { lines.append("for families") }
        if let subscription = product.subscription { lines += words(of: subscription) }
        return lines
    }

    private func words(of subscription: Product.SubscriptionInfo) -> [String] {
        let period: SubscriptionPeriod = subscription.subscriptionPeriod
        let unitStyle: SubscriptionPeriod.Unit.FormatStyle =
            product.subscriptionPeriodUnitFormatStyle
        var lines = [
            subscription.subscriptionGroupID, subscription.groupDisplayName,
            "\(subscription.groupLevel)", "\(period.value)\(period.unit.shortName)",
            period.formatted(product.subscriptionPeriodFormatStyle),
            period.formatted(product.subscriptionPeriodFormatStyle, referenceDate: .distantPast),
            period.formatted(.units(allowed: [.days], width: .narrow)),
            period.formatted(.units(allowed: [.weeks]), referenceDate: .now),
            period.unit.formatted(unitStyle),
            unitStyle.locale(.current).format(period.unit),
        ]
        let offers =
            subscription.promotionalOffers + subscription.winBackOffers
            + [subscription.introductoryOffer].compactMap { $0 }
        lines += offers.flatMap { offer in
            [
                offer.id ?? "", offer.type.rawValue, offer.type.localizedDescription,
                offer.displayPrice, "\(offer.price) \(offer.periodCount)",
                offer.paymentMode.rawValue, offer.paymentMode.localizedDescription,
                offer.period.debugDescription,
            ]
        }
        for terms: SubscriptionInfo.PricingTerms in subscription.pricingTerms {
            let commitment: SubscriptionInfo.CommitmentInfo = terms.commitmentInfo
            let billed: SubscriptionInfo.BillingPeriod = terms.billingPeriod
            lines += [
                terms.billingDisplayPrice, "\(terms.billingPrice) \(commitment.price)",
                terms.billingPlanType.rawValue, commitment.displayPrice,
                "\(commitment.period == billed)",
                "\(terms[offers: .introductory].count + terms.subscriptionOffers.count)",
            ]
        }
        return lines
    }

    /// The form that servers of developers read.
    func catalogue() throws -> String? {
        struct Catalogue: Decodable {
            struct Attributes: Decodable { let offerName: String }
            let attributes: Attributes
        }
        return try JSONDecoder().decode(Catalogue.self, from: product.jsonRepresentation)
            .attributes.offerName
    }
}

/// Why nothing was bought.
private func reason(_ error: any Error) -> String? {
    switch error {
    case Product.PurchaseError.invalidQuantity: return "quantity"
    case let error as Product.PurchaseError: return error.failureReason
    case let error as StoreKitError: return error.errorDescription
    default: return nil
    }
}

/// What became of a purchase.
private func outcome(_ result: Product.PurchaseResult) throws -> Transaction? {
    switch result {
    case .success(let verification): return try verification.payloadValue
    case .userCancelled, .pending: return nil
    @unknown default: return nil
    }
}

/// What a screen asks the store about products.
@MainActor private final class ProductScreen {
    private(set) var products: [Product] = []

    func load(_ identifiers: Set<Product.ID>) async throws {
        products = try await Product.products(for: identifiers).sorted { $0.id < $1.id }
    }

    func buy(_ product: Product) async throws -> Transaction? {
        if await product.latestTransaction != nil, product.type == .nonConsumable { return nil }
        for await _ in product.currentEntitlements { return nil }
        return try outcome(await product.purchase(options: [.quantity(1)]))
    }

    @available(*, deprecated)
    func owns(_ product: Product) async -> Bool { await product.currentEntitlement != nil }

    func isTrialOffered(_ product: Product) async throws -> Bool {
        guard let subscription = product.subscription else { return false }
        let statuses = try await subscription.status
        guard statuses.isEmpty, subscription.introductoryOffer != nil else { return false }
        return await subscription.isEligibleForIntroOffer
    }
}

@Suite struct ProductPatterns {
    @MainActor @Test func `products need a profile, and none need nothing`() async throws {
        let shop = ProductScreen()
        try await shop.load([])
        await #expect(throws: StoreKitError.self) { try await shop.load(["com.example.pro"]) }
        #expect(shop.products.isEmpty)
        for product in shop.products {
            _ = try await (shop.buy(product), shop.isTrialOffered(product))
        }
        await #expect(throws: StoreKitError.self) {
            try await Product.SubscriptionInfo.status(for: "21").count
        }
        await #expect(throws: StoreKitError.self) {
            try await Product.SubscriptionInfo.status(transactionID: 1)?.state
        }
        #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "21"))
    }

    @Test func `shelves hold what there is`() {
        let shelves = Shelves([])
        #expect(shelves.byType.isEmpty && shelves.product("a") == nil)
        #expect(shelves.fuel.map { Offer(product: $0).lines } == [])
    }

    @Test func `names of the catalogue are the framework's values`() {
        let types: [Product.ProductType] = [
            .consumable, .nonConsumable, .nonRenewable, .autoRenewable, .init(rawValue: "New"),
        ]
        #expect(types.map(\.localizedDescription) == types.map(\.rawValue))
        let offers: Set<Product.SubscriptionOffer.OfferType> = [
            .introductory, .promotional, .winBack, .init(rawValue: "IntroOffer"),
        ]
        #expect(offers.count == 3)
        let modes: Set<Product.SubscriptionOffer.PaymentMode> = [
            .payAsYouGo, .payUpFront, .freeTrial, .init(rawValue: "FreeTrial"),
        ]
        #expect(modes.count == 3)
        let plans: [SubscriptionInfo.BillingPlanType] = [.monthly, .upFront]
        #expect(plans.map(\.rawValue) == ["MONTHLY", "BILLED_UPFRONT"])
        #expect(SubscriptionInfo.BillingPlanType(rawValue: "MONTHLY") == .monthly)
    }

    @Test func `periods are compared, reckoned with and written`() throws {
        let periods: [SubscriptionPeriod] = [
            .weekly, .monthly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths,
            .everyThreeMonths, .everySixMonths,
        ]
        #expect(Set(periods).count == 8)
        #expect(periods.map(\.unit.shortName).sorted() == ["d", "m", "m", "m", "m", "w", "w", "y"])
        #expect(
            Product.SubscriptionPeriod.Unit.day < .week && .month < SubscriptionPeriod.Unit.year)
        #expect(SubscriptionPeriod.Unit.month.localizedDescription.isEmpty == false)
        let lengths = periods.map { $0.dateRange().upperBound.timeIntervalSinceNow }
        #expect(lengths.allSatisfy { $0 > 2 * 86400 })
        #expect(DateComponents(subscriptionPeriod: .everySixMonths).month == 6)
        #expect(SubscriptionPeriod.everySixMonths.debugDescription == "6 months")
        #expect(String(reflecting: SubscriptionPeriod.Unit.day) == "day")
    }

    @Test func `errors say what an app can show`() throws {
        #expect(reason(Product.PurchaseError.invalidQuantity) == "quantity")
        #expect(reason(Product.PurchaseError.productUnavailable)?.isEmpty == false)
        let error: any LocalizedError = Product.PurchaseError.ineligibleForOffer
        #expect(error.recoverySuggestion != nil && error.errorDescription != nil)
        #expect(try outcome(.userCancelled) == nil && outcome(.pending) == nil)
        let others: Set<Product.PurchaseError> = [
            .purchaseNotAllowed, .invalidOfferIdentifier, .invalidOfferPrice,
            .invalidOfferSignature, .missingOfferParameters,
            .paymentMethodBindingConfigurationRequired,
        ]
        #expect(others.count == 6)
    }
}
