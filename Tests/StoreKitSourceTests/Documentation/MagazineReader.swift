import StoreKit

/// The pieces of <doc:Subscriptions> and <doc:EntitlementsOffline>.
@MainActor final class MagazineReader {
    private var period: Transaction?

    func lookUp() async {
        period = nil
        for await case .verified(let transaction) in Transaction.currentEntitlements
        where transaction.productType == .autoRenewable {
            period = transaction
        }
    }

    func watch() async {
        for await status in Product.SubscriptionInfo.Status.updates {
            guard case .verified(let renewal) = status.renewalInfo else { continue }
            print("\(renewal.currentProductID): \(status.state.localizedDescription)")
            await lookUp()
        }
    }

    func standing() async -> String {
        guard let status = await period?.subscriptionStatus,
            case .verified(let renewal) = status.renewalInfo
        else { return "No subscription." }
        switch status.state {
        case .subscribed:
            return renewal.willAutoRenew ? "It renews." : "It ends with this period."
        case .inGracePeriod:
            return "A payment has failed; it goes on until it is paid or the grace period ends."
        default:
            return "It has ended."
        }
    }

    #if os(Linux)
        func manage() async throws {
            try await AppStore.openStoreShowManageSubscriptions()
        }

        func askForRefund() async throws -> Bool {
            guard let period else { return false }
            return try await period.openStoreBeginRefundRequest(reason: .unsatisfied) == .success
        }
    #endif
}

func mayRead(_ product: Product.ID) async -> Bool {
    for await case .verified(let transaction) in Transaction.currentEntitlements
    where transaction.productID == product {
        return true
    }
    return false
}
