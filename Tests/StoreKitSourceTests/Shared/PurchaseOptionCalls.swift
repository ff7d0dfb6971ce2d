import StoreKit
import Testing

// The options of a purchase, states of tasks and promotions, called as apps do.

/// Where a screen stands that waits for what a customer owns.
@MainActor private final class EntitlementModel {
    var state: EntitlementTaskState<VerificationResult<Transaction>?> = .loading
    private(set) var isEntitled = false

    func refresh() async {
        let names = await state.map { result in await self.name(of: result) }
        switch names {
        case .loading: break
        case .failure(let error): print(error)
        case .success(let name): isEntitled = name != nil
        }
    }

    private func name(of result: VerificationResult<Transaction>?) async -> String? {
        guard case .verified(let transaction) = result else { return nil }
        return transaction.productID
    }
}

private func text(_ state: Product.TaskState) -> String {
    switch state {
    case .loading: "loading"
    case .unavailable: "unavailable"
    case .failure: "failure"
    case .success(let product): product.displayName
    @unknown default: "?"
    }
}

private func count(_ state: Product.CollectionTaskState) -> Int? {
    guard case .success(let products, let unavailable) = state else { return state.products?.count }
    return products.count + unavailable.count
}

@Suite struct PurchaseOptionCalls {
    private struct Failure: Error {}

    @Test func `options are collected in a set`() {
        var options: Set<Product.PurchaseOption> = []
        options.insert(.appAccountToken(UUID()))
        options.insert(.quantity(3))
        options.insert(.simulatesAskToBuyInSandbox(true))
        options.insert(
            .onStorefrontChange(shouldContinuePurchase: { storefront in
                storefront.countryCode == "USA"
            }))
        options.formUnion(Product.PurchaseOption.promotionalOffer("spring", compactJWS: "a.b.c"))
        options.insert(.introductoryOfferEligibility(compactJWS: "a.b.c"))
        options.insert(.billingPlanType(.upFront))
        options.insert(.custom(key: "text", value: "a"))
        options.insert(.custom(key: "number", value: 1.5))
        options.insert(.custom(key: "flag", value: false))
        options.insert(.custom(key: "data", value: Data([1])))
        #expect(options.count == 12)
        #expect(options.contains { $0.debugDescription == "quantity: 3" })
        let winBack = { (offer: Product.SubscriptionOffer) in
            Product.PurchaseOption.winBackOffer(offer)
        }
        #expect(
            type(of: winBack) == ((Product.SubscriptionOffer) -> Product.PurchaseOption).self)
    }

    @available(*, deprecated)
    @Test func `older signatures are still taken`() {
        var signature = Product.SubscriptionOffer.Signature(
            keyID: "key", nonce: UUID(), timestamp: 1, signature: Data([1]))
        signature.keyID = "other"
        signature.nonce = UUID()
        signature.timestamp = 2
        signature.signature = Data([2])
        let options: Set<Product.PurchaseOption> = [
            .promotionalOffer(offerID: "spring", signature: signature),
            .promotionalOffer(
                offerID: "spring", keyID: "other", nonce: signature.nonce,
                signature: Data([2]), timestamp: 2),
        ]
        #expect(options.count == 1)
    }

    @MainActor @Test func `states of tasks are mapped`() async {
        let model = EntitlementModel()
        await model.refresh()
        model.state = .success(nil)
        await model.refresh()
        #expect(!model.isEntitled && model.state.transaction == nil)
        let number: EntitlementTaskState<Int> = .success(3)
        #expect(number.map { $0 + 1 }.value == 4)
        #expect(number.flatMap { _ in EntitlementTaskState<String>.loading }.value == nil)
        let later = await number.flatMap { number -> EntitlementTaskState<String> in
            await Task.yield()
            return .success("\(number)")
        }
        #expect(later.value == "3")
        let failed: EntitlementTaskState<Int> = .failure(Failure())
        guard case .failure = failed.map({ $0 }) else {
            Issue.record("the failure is lost")
            return
        }
    }

    @Test func `states of products and relationships of subscriptions are values`() {
        let states: [Product.TaskState] = [.loading, .unavailable, .failure(Failure())]
        #expect(states.map { text($0) } == ["loading", "unavailable", "failure"])
        #expect(states.allSatisfy { $0.product == nil })
        #expect(count(.success([], unavailable: ["a"])) == 1)
        #expect(count(.loading) == nil && count(.failure(Failure())) == nil)
        let relationships: Product.SubscriptionRelationship = [.upgrade, .crossgrade]
        #expect(relationships.union([.current, .downgrade]) == .all)
        #expect(Product.SubscriptionRelationship(rawValue: relationships.rawValue) == relationships)
    }

    @Test func `generic products are not supported`() async {
        await #expect(throws: StoreKitError.self) {
            let product = try await AdvancedCommerceProduct(id: "com.example.generic")
            _ = (product.type == .consumable, product.allTransactions, product.currentEntitlements)
            _ = await product.latestTransaction
            let result: AdvancedCommerceProduct.PurchaseResult = try await product.purchase(
                compactJWS: "a.b.c",
                options: [.onStorefrontChange(shouldContinuePurchase: { $0.id == "143441" })])
            print(product.id, product.debugDescription, result)
        }
    }

    @Test func `promotions need a profile`() async {
        await #expect(throws: StoreKitError.self) { try await Product.PromotionInfo.currentOrder }
        await #expect(throws: StoreKitError.self) {
            var promotions = try await Product.PromotionInfo.currentOrder
            promotions[0].visibility = .hidden
            try await promotions[0].update()
            #expect(promotions[0].productID == "a" && promotions == promotions)
        }
        await #expect(throws: StoreKitError.self) {
            try await Product.PromotionInfo.updateProductOrder(byID: ["a", "b"])
        }
        await #expect(throws: StoreKitError.self) {
            try await Product.PromotionInfo.updateProductVisibility(.visible, for: "a")
        }
        await #expect(throws: StoreKitError.self) {
            try await Product.PromotionInfo.updateAll([])
        }
        let visibilities: [Product.PromotionInfo.Visibility] = [
            .appStoreConnectDefault, .visible, .hidden,
        ]
        #expect(visibilities.map(\.rawValue) == [0, 1, 2])
    }
}
