import StoreKit

/// Sells credits with StoreKit 2; `CreditShop` does the same with the original interface.
final class CreditStore: CreditSeller {
    private(set) var packs: [Pack] = []
    var onMessage: (String) -> Void = { _ in }
    var onBusy: () -> Void = {}
    var onIdle: () -> Void = {}

    private let wallet: Wallet
    private var products: [Product] = []
    private var isBuying = false
    /// Requests for the products that the store has not answered.
    private var requests = 0

    init(wallet: Wallet) {
        self.wallet = wallet
    }

    var credits: Int { wallet.credits }

    func open() {
        Task {
            if AppStore.canMakePayments {
                await loadProducts()
            } else {
                onMessage("Purchases are switched off on this device.")
            }
            idleUnlessBusy()
        }
        Task {
            // First what an earlier run has not finished, then what ends later than its purchase.
            for await result in Transaction.updates {
                await deliver(result)
                idleUnlessBusy()
            }
        }
        Task {
            // Somebody from another country has signed in: other prices, another language.
            for await _ in Storefront.updates {
                await loadProducts()
                idleUnlessBusy()
            }
        }
    }

    func buy(_ pack: Pack) {
        guard let product = products.first(where: { $0.id == pack.id }) else { return }
        isBuying = true
        onBusy()
        Task {
            do {
                switch try await product.purchase() {
                case .success(let result): await deliver(result)
                case .userCancelled: onMessage("Nothing was bought.")
                case .pending: onMessage("Somebody else has to approve the purchase.")
                @unknown default: break
                }
            } catch {
                onMessage("The purchase has failed: \(sentence(for: error))")
            }
            isBuying = false
            idleUnlessBusy()
        }
    }

    func spend() {
        do {
            onMessage(try wallet.spend(1) ? "You have spent a credit." : "You have no credits.")
        } catch {
            onMessage("The credit can't be spent: \(error.localizedDescription)")
        }
        onIdle()
    }

    private func loadProducts() async {
        requests += 1
        defer { requests -= 1 }
        do {
            products = try await Product.products(for: Pack.credits.keys)
                .sorted { $0.price < $1.price }
            packs = products.map {
                Pack(
                    id: $0.id, title: $0.displayName, description: $0.description,
                    price: $0.displayPrice)
            }
        } catch StoreKitError.systemError(let error as SKError) where error.code == .clientInvalid {
            // A program without a usable profile has no store, and that does not get better.
            Screen.fail(error.localizedDescription, code: 1)
        } catch {
            onMessage("Nothing can be bought now: \(sentence(for: error))")
        }
    }

    /// First the credits, on disk, then the end of the transaction. A transaction that is not
    /// finished comes back at the next launch, and the wallet knows it then.
    private func deliver(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else {
            return onMessage("The store's answer can't be trusted.")
        }
        // Consumables are used up: what was paid back here is not taken away.
        guard transaction.revocationDate == nil else { return await transaction.finish() }
        guard let pack = Pack.credits[transaction.productID] else {
            // Sold by another version of the app, which will know what it is.
            return onMessage("I don't know the product \(transaction.productID).")
        }
        let credits = pack * transaction.purchasedQuantity
        do {
            if try wallet.deliver(credits, for: String(transaction.id)) {
                onMessage(Screen.green("\(credits) credits were added."))
            }
            await transaction.finish()
        } catch {
            onMessage(
                "The \(credits) credits can't be saved: \(error.localizedDescription). They come "
                    + "at the next start.")
        }
    }

    /// A purchase of an earlier run can be delivered before the products are there: the customer
    /// sees the shelf when it is full.
    private func idleUnlessBusy() {
        if !isBuying, requests == 0 { onIdle() }
    }

    private func sentence(for error: any Error) -> String {
        if case StoreKitError.networkError = error { return "the store can't be reached." }
        return error.localizedDescription
    }
}
