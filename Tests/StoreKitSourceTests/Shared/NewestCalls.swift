import StoreKit
import Testing

// What the releases of 2026 added, called as apps do. No store is there: what needs a value of it
// only has to compile, with Apple's types.

/// What a screen shows of a bundle.
private func lines(of product: Product) -> [String] {
    switch product.type {
    case .subscriptionBundle, .subscriptionSuite: break
    default: return [product.type.localizedDescription]
    }
    let parts: [Product.SubscriptionInfo.BundledSubscription] =
        product.subscription?.bundledSubscriptions ?? []
    return parts.map { part in
        let id: Product.ID = part.id
        let price: Decimal = part.price
        let group: (String, Int, String) = (
            part.subscriptionGroupID, part.subscriptionGroupLevel,
            part.subscriptionGroupDisplayName
        )
        let shared: Bool = part.isFamilyShareable
        return "\(id) \(part.displayName) \(part.description) \(part.displayPrice) \(price) "
            + "\(group) \(shared)"
    }
}

/// What becomes of a subscription that came with a bundle.
private func end(of info: SubscriptionRenewalInfo, after transaction: Transaction) -> String? {
    if transaction.revocationReason == .upgradedToBundle { return transaction.bundleProductID }
    if info.willUnbundle || info.expirationReason == .unbundled { return info.bundleProductID }
    guard let previous: UInt64 = transaction.previousOriginalTransactionID else { return nil }
    return "in place of \(previous)"
}

/// Buys by the month what is sold for a year.
@MainActor private func buyByTheMonth(_ product: Product) async throws -> Bool {
    guard let subscription = product.subscription else { return false }
    let terms = subscription.pricingTerms.first { $0.billingPlanType == .monthly }
    guard let terms, terms.commitmentInfo.period.unit == .year else { return false }
    let result = try await product.purchase(options: [.billingPlanType(terms.billingPlanType)])
    guard case .success(.verified(let transaction)) = result else { return false }
    let plan: Product.SubscriptionInfo.BillingPlanType? = transaction.billingPlanType
    return plan == .monthly && transaction.commitmentInfo?.totalBillingPeriods == 12
}

/// What an app may show to whom.
private actor AgeGate {
    private(set) var age: Int?

    func refresh() async {
        if #available(iOS 26.2, macOS 26.2, *) { age = await AppStore.ageRatingCode }
    }

    func allows(_ years: Int) -> Bool { age.map { $0 <= years } ?? true }
}

@Suite struct NewestCalls {
    @Test func `kinds of bundles are told from other kinds`() {
        let kinds: [Product.ProductType] = [
            .consumable, .nonConsumable, .nonRenewable, .autoRenewable, .subscriptionBundle,
            .subscriptionSuite,
        ]
        #expect(Set(kinds).count == 6)
        #expect(Set(kinds.map(\.localizedDescription)).count == 6)
        let show: (Product) -> [String] = lines
        let end: (SubscriptionRenewalInfo, Transaction) -> String? = end
        let buy: @MainActor (Product) async throws -> Bool = buyByTheMonth
        withExtendedLifetime((show, end, buy)) {}
    }

    @Test func `parts of bundles cross actors and are compared`() {
        let values: [any (Hashable & Sendable).Type] = [
            Product.SubscriptionInfo.BundledSubscription.self,
            Product.SubscriptionInfo.PricingTerms.self,
            Product.SubscriptionInfo.CommitmentInfo.self,
            Product.SubscriptionInfo.BillingPlanType.self, Transaction.CommitmentInfo.self,
            SubscriptionRenewalInfo.CommitmentInfo.self,
        ]
        #expect(values.count == 6)
    }

    @Test func `no store says no age`() async {
        let gate = AgeGate()
        await gate.refresh()
        #expect(await gate.age == nil)
        #expect(await gate.allows(4))
    }

    @Test func `no store has no app transaction`() async throws {
        let transactions: AppTransaction.AppTransactions = AppTransaction.all
        for await result: VerificationResult<AppTransaction> in transactions {
            Issue.record("\(result)")
            #expect(try result.payloadValue.revocationDate == nil)
        }
        let sendable: any Sendable = transactions
        withExtendedLifetime(sendable) {}
    }
}
