import StoreKit

// A store as one class on the main actor, and a small library around StoreKit with protocols of its
// own: the ways of samples and helpers. It only has to compile.

private enum StoreProblem: Error {
    case failedVerification
}

/// Everything in one object, as the first samples had it.
@MainActor private final class Store {
    private(set) var cars: [Product] = []
    private(set) var fuel: [Product] = []
    private(set) var subscriptions: [Product] = []
    private(set) var purchased: Set<Product> = []
    private(set) var groupState: Product.SubscriptionInfo.RenewalState?
    var updateListener: Task<Void, any Error>?

    init() {
        updateListener = listenForTransactions()
        Task {
            await requestProducts()
            await updateCustomerProducts()
        }
    }

    deinit {
        updateListener?.cancel()
    }

    func listenForTransactions() -> Task<Void, any Error> {
        Task.detached {
            for await result in Transaction.updates {
                do {
                    let transaction = try self.checkVerified(result)
                    await self.updateCustomerProducts()
                    await transaction.finish()
                } catch {
                    print("Transaction failed verification")
                }
            }
        }
    }

    func requestProducts() async {
        guard let products = try? await Product.products(for: ["a", "b", "a"]) else { return }
        for product in products {
            switch product.type {
            case .consumable: fuel.append(product)
            case .nonConsumable: cars.append(product)
            case .autoRenewable, .nonRenewable: subscriptions.append(product)
            default: print("Unknown product")
            }
        }
        cars = cars.sorted(by: { $0.price < $1.price })
    }

    func purchase(_ product: Product) async throws -> Transaction? {
        let result = try await product.purchase()
        switch result {
        case .success(let verification):
            let transaction = try checkVerified(verification)
            await updateCustomerProducts()
            await transaction.finish()
            return transaction
        case .userCancelled, .pending: return nil
        default: return nil
        }
    }

    nonisolated func checkVerified<T>(_ result: VerificationResult<T>) throws -> T {
        switch result {
        case .unverified: throw StoreProblem.failedVerification
        case .verified(let safe): return safe
        }
    }

    func updateCustomerProducts() async {
        var owned: Set<Product> = []
        for await result in Transaction.currentEntitlements {
            guard let transaction = try? checkVerified(result) else { continue }
            if let car = cars.first(where: { $0.id == transaction.productID }) { owned.insert(car) }
            if transaction.productType == .nonRenewable,
                let end = Calendar(identifier: .gregorian).date(
                    byAdding: DateComponents(year: 1), to: transaction.purchaseDate),
                end < Date()
            {
                continue
            }
        }
        purchased = owned
        groupState = try? await subscriptions.first?.subscription?.status.first?.state
    }

    func restore() async { try? await AppStore.sync() }
}

// MARK: A library around it

/// What a service of an app does, whoever stands behind it.
private protocol StoreService {
    func products() async throws -> [Product]
    func purchase(_ product: Product) async throws -> (Product.PurchaseResult, Transaction?)
    func validTransactions() async throws -> [Transaction]
}

private struct StandardStoreService: StoreService {
    let ids: [String]

    func products() async throws -> [Product] { try await Product.products(for: ids) }

    func purchase(_ product: Product) async throws -> (Product.PurchaseResult, Transaction?) {
        let result = try await product.purchase()
        guard case .success(let verified) = result else { return (result, nil) }
        let transaction = try verified.verify()
        await transaction.finish()
        return (result, transaction)
    }

    func validTransactions() async throws -> [Transaction] {
        var transactions: [Transaction] = []
        for id in ids {
            guard let result = await Transaction.latest(for: id) else { continue }
            let transaction = try result.verify()
            if transaction.isValid { transactions.append(transaction) }
        }
        return transactions
    }
}

extension VerificationResult where SignedType == Transaction {
    /// The transaction, if it is trusted.
    fileprivate func verify() throws -> Transaction {
        switch self {
        case .verified(let transaction): return transaction
        case .unverified(let transaction, let error):
            print("\(transaction.debugDescription): \(jwsRepresentation.count) \(error)")
            throw error
        }
    }
}

extension Transaction {
    fileprivate var isValid: Bool {
        guard revocationDate == nil else { return false }
        guard let expirationDate else { return true }
        return expirationDate > Date()
    }
}

extension Product.SubscriptionPeriod.Unit {
    fileprivate var abbreviation: String {
        switch self {
        case .day: return "d"
        case .week: return "w"
        case .month: return "mo"
        case .year: return "y"
        @unknown default: return localizedDescription
        }
    }
}

private func overview(_ products: [Product]) async -> [String] {
    let kinds = Dictionary(grouping: products, by: \.type)
    let counts = kinds.map { "\($0.key.rawValue): \($0.value.count)" }
    let history = Transaction.all.compactMap { try? $0.payloadValue }.map(\.productID)
    var ids: Set<Product.ID> = []
    for await id in history { ids.insert(id) }
    for await group in Product.SubscriptionInfo.Status.all { ids.insert(group.groupID) }
    let app = try? await AppTransaction.shared.payloadValue.originalAppVersion
    let country = await Storefront.current?.countryCode
    return counts + ids.sorted() + [app, country].compactMap { $0 }
}

private func explain(_ error: any Error) -> String {
    switch error {
    case let error as Product.PurchaseError where error == .productUnavailable: "not sold"
    case StoreKitError.userCancelled: "cancelled"
    case let error as StoreKitError: error.errorDescription ?? "unknown"
    case let error as VerificationResult<Transaction>.VerificationError: "\(error)"
    default: error.localizedDescription
    }
}
