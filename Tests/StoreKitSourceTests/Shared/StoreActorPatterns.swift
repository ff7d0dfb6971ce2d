import StoreKit

// A store as an actor, with controllers on the main actor that screens look at: the way in which
// larger apps of today are written. It only has to compile.

private enum Catalog {
    static let badge = "com.example.cart.badge"
    static let coins = ["com.example.cart.coins10", "com.example.cart.coins50"]
    static let passGroup = "20990001"
    static let passes = ["com.example.cart.pass.monthly", "com.example.cart.pass.yearly"]
    static var all: Set<Product.ID> { Set(coins + passes + [badge]) }
}

private actor StoreActor {
    typealias Entitlement = StoreKit.Transaction
    typealias RenewalInfo = StoreKit.Product.SubscriptionInfo.RenewalInfo
    typealias RenewalState = StoreKit.Product.SubscriptionInfo.RenewalState

    static let shared = StoreActor()

    private(set) var loaded: [Product.ID: Product] = [:]
    private var listeners: [Task<Void, Never>] = []
    @MainActor let badge = BadgeController(id: Catalog.badge)
    @MainActor let pass = PassController(group: Catalog.passGroup)

    private init() {
        Task(priority: .background) {
            await self.start()
            await self.load()
        }
    }

    deinit {
        for listener in listeners { listener.cancel() }
    }

    func product(identifiedBy id: Product.ID) async -> Product? {
        if loaded.isEmpty { await load() }
        return loaded[id]
    }

    private func start() {
        listeners = [
            Task.detached {
                for await result in Transaction.updates { await self.process(result) }
            },
            Task.detached {
                for await status in Product.SubscriptionInfo.Status.updates {
                    await self.pass.take(status)
                }
            },
            Task { await self.listenToStorefronts() },
        ]
    }

    private func listenToStorefronts() async {
        for await storefront in Storefront.updates {
            print("\(storefront.id) \(storefront.countryCode)")
            await load()
        }
    }

    private func load() async {
        do {
            let products = try await Product.products(for: Catalog.all)
            loaded = Dictionary(uniqueKeysWithValues: products.map { ($0.id, $0) })
            await pass.show(products.filter { $0.type == .autoRenewable })
        } catch StoreKitError.networkError(let error) where error.code == .notConnectedToInternet {
            print("offline")
        } catch {
            print("no products: \(error.localizedDescription)")
        }
    }

    private func process(_ result: VerificationResult<Entitlement>) async {
        let transaction: Entitlement
        switch result {
        case .unverified(let unsafe, let error):
            return print("\(unsafe.id) is not trusted: \(error)")
        case .verified(let safe):
            transaction = safe
        }
        switch transaction.productType {
        case .consumable: print("\(transaction.purchasedQuantity) of \(transaction.productID)")
        case .nonConsumable: await badge.set(transaction.revocationDate == nil)
        case .autoRenewable: await pass.look()
        default: break
        }
        await transaction.finish()
    }
}

@MainActor private final class BadgeController {
    private let id: Product.ID
    private(set) var isOwned = false

    nonisolated init(id: Product.ID) {
        self.id = id
        Task(priority: .background) { await self.look() }
    }

    private func look() async {
        guard let product = await StoreActor.shared.product(identifiedBy: id) else { return }
        let transactions = await product.latestTransaction
        guard let transaction = try? transactions?.payloadValue else { return set(false) }
        set(transaction.revocationDate == nil && !transaction.isUpgraded)
    }

    func set(_ isOwned: Bool) { self.isOwned = isOwned }

    func buy() async -> Bool {
        guard let product = await StoreActor.shared.product(identifiedBy: id) else { return false }
        do {
            let result = try await product.purchase()
            guard case .success(let verification) = result else { return false }
            let transaction = try verification.payloadValue
            isOwned = true
            await transaction.finish()
            return true
        } catch {
            return false
        }
    }
}

@MainActor private final class PassController {
    struct Offer: Hashable, Identifiable {
        let product: Product
        let subscription: Product.SubscriptionInfo
        var id: Product.ID { product.id }

        init?(_ product: Product) {
            guard let subscription = product.subscription else { return nil }
            (self.product, self.subscription) = (product, subscription)
        }

        var priceText: String { product.price.formatted(product.priceFormatStyle) }
        var isYearly: Bool { subscription.subscriptionPeriod.unit == .year }
    }

    let group: String
    private(set) var offers: [Offer] = []
    private(set) var entitled: Offer?
    private(set) var expiration: Date?
    private(set) var autoRenewPreference: Product.ID?
    private(set) var isNew = true

    nonisolated init(group: String) { self.group = group }

    func show(_ products: [Product]) async {
        offers = products.compactMap(Offer.init).sorted {
            $0.subscription.subscriptionPeriod.unit < $1.subscription.subscriptionPeriod.unit
        }
        isNew = await Product.SubscriptionInfo.isEligibleForIntroOffer(for: group)
        await look()
    }

    func look() async {
        let statuses = (try? await Product.SubscriptionInfo.status(for: group)) ?? []
        entitled = nil
        guard let best = statuses.max(by: { rank($0.state) < rank($1.state) }) else { return }
        take(best)
    }

    func take(_ status: Product.SubscriptionInfo.Status) {
        guard let renewal = try? status.renewalInfo.payloadValue else { return }
        let transaction = status.transaction.unsafePayloadValue
        guard transaction.subscriptionGroupID == group else { return }
        entitled =
            [.subscribed, .inGracePeriod].contains(status.state)
            ? offers.first { $0.id == renewal.currentProductID } : nil
        expiration = renewal.gracePeriodExpirationDate ?? transaction.expirationDate
        autoRenewPreference = renewal.willAutoRenew ? renewal.autoRenewPreference : nil
        if renewal.expirationReason == .billingError { print("update your card") }
    }

    func choose(_ offer: Offer, user: UUID) async throws -> Product.PurchaseResult {
        var options: Set<Product.PurchaseOption> = [.appAccountToken(user)]
        options.insert(.simulatesAskToBuyInSandbox(false))
        options.insert(.onStorefrontChange { $0.countryCode == "USA" })
        return try await offer.product.purchase(options: options)
    }

    private func rank(_ state: Product.SubscriptionInfo.RenewalState) -> Int {
        switch state {
        case .subscribed: 4
        case .inGracePeriod: 3
        case .inBillingRetryPeriod: 2
        case .expired: 1
        default: 0
        }
    }
}
