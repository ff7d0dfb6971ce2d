import StoreKit
import Testing

// The sequences that never end, listened to as apps do. No store is there: they only have to
// compile, and end with their task.

/// What an app listens to from its start to its end.
private actor StoreListener {
    private(set) var heard: [String] = []
    private var tasks: [Task<Void, Never>] = []

    func start() {
        tasks = [
            Task { [weak self] in
                for await status in Product.SubscriptionInfo.Status.updates {
                    await self?.hear(status)
                }
            },
            Task { [weak self] in
                let storefronts: Storefront.Storefronts = Storefront.updates
                for await storefront in storefronts { await self?.hear(storefront.countryCode) }
            },
            Task { [weak self] in
                let messages: Message.Messages = StoreKit.Message.messages
                for await message in messages { await self?.show(message) }
            },
            Task { [weak self] in
                let intents: PurchaseIntent.PurchaseIntents = PurchaseIntent.intents
                for await intent in intents { await self?.buy(intent) }
            },
        ]
    }

    func stop() async {
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func hear(_ word: String) { heard.append(word) }

    private func hear(_ status: SubscriptionStatus) {
        guard case .verified(let info) = status.renewalInfo else { return }
        switch info.priceIncreaseStatus {
        case .noIncreasePending: break
        case .pending: hear("a higher price waits for \(info.currentProductID)")
        case .agreed: hear("agreed")
        }
        for item in info.advancedCommerceInfo?.items ?? [] { hear(item.details.sku) }
    }

    private func show(_ message: Message) {
        switch message.reason {
        case .priceIncreaseConsent, .billingIssue: hear(message.reason.localizedDescription)
        case .generic, .winBackOffer: break
        default: hear("\(message.reason.rawValue)")
        }
    }

    private func buy(_ intent: PurchaseIntent) async {
        let options: Set<Product.PurchaseOption> = Set(
            [intent.offer].compactMap { $0 }.map { .winBackOffer($0) })
        _ = try? await intent.product.purchase(options: options)
        hear(intent.id)
    }
}

@Suite struct SequenceCalls {
    @Test func `sequences end with their task`() async {
        let listener = StoreListener()
        await listener.start()
        await listener.stop()
        #expect(await listener.heard.isEmpty)
        let statuses: Product.SubscriptionInfo.Status.Statuses = SubscriptionStatus.updates
        withExtendedLifetime(statuses) {}
    }

    @Test func `what is unfinished ends by itself`() async {
        for await result in Transaction.unfinished {
            Issue.record("\(result)")
            #expect(result.unsafePayloadValue.advancedCommerceInfo?.items == nil)
        }
        #expect(AppStore.deviceVerificationID == nil)
    }
}
