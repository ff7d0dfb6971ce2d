import StoreKit

/// A magazine that readers subscribe to, on two levels.
///
/// What a reader may read comes from `Transaction.currentEntitlements`, each time anew: the
/// framework keeps it, signed by the store, also without a network. So there is no file here that
/// says who has paid.
final class Magazine {
    /// What a subscription gives, the least first.
    enum Level: Int, Comparable {
        case nothing, newestIssue, archive

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private static let levels: [Product.ID: Level] = [
        "com.example.magazine.reader": .newestIssue, "com.example.magazine.patron": .archive,
    ]
    /// While the store can't be reached.
    private static let names = [
        "com.example.magazine.reader": "Reader", "com.example.magazine.patron": "Patron",
    ]

    /// What can be subscribed to, the cheapest first; nothing where purchases are switched off.
    private(set) var products: [Product] = []
    /// What the reader may read now.
    private(set) var level: Level = .nothing
    /// The period that gives it; `nil` for none.
    private(set) var period: Transaction?
    /// How the subscription stands; `nil` for who never had one.
    private(set) var status: Product.SubscriptionInfo.Status?

    /// Called when something has changed that the reader did not just do here.
    var onChange: () -> Void = {}

    /// To be called at launch: from here on the magazine hears of renewals, of refunds, and of
    /// purchases on other devices, also of those that came while it did not run.
    func open() async throws {
        Task {
            for await result in Transaction.updates {
                await take(result)
                onChange()
            }
        }
        Task {
            // Renewal was switched on or off, or a payment has failed: there is no transaction.
            for await _ in Product.SubscriptionInfo.Status.updates {
                await look()
                onChange()
            }
        }
        await look()
        guard AppStore.canMakePayments else { return }
        products = try await Product.products(for: Self.levels.keys)
            .sorted { $0.price < $1.price }
    }

    /// Subscribes, or changes to another level: a higher one begins at once, a lower one when the
    /// running period ends.
    ///
    /// - Returns: what to tell the reader.
    func subscribe(to product: Product) async throws -> String {
        switch try await product.purchase() {
        case .success(let result):
            guard await take(result) else { return "The store's answer can't be trusted." }
            return "Thank you."
        case .pending:
            return "Somebody else has to approve it. It begins when they do."
        case .userCancelled:
            return "Nothing has changed."
        @unknown default:
            return "This version of the app does not know what has happened."
        }
    }

    /// Looks up what the reader may read, and how the subscription stands.
    func look() async {
        level = .nothing
        period = nil
        for await case .verified(let transaction) in Transaction.currentEntitlements {
            guard let given = Self.levels[transaction.productID], given > level else { continue }
            level = given
            period = transaction
        }
        status = nil
        // One group; with Family Sharing it can have several subscriptions.
        for await group in Product.SubscriptionInfo.Status.all {
            for found in group.statuses where status == nil || isEntitled(found) { status = found }
        }
    }

    /// The name of a product, as the reader knows it.
    func name(of product: Product.ID) -> String {
        products.first { $0.id == product }?.displayName ?? Self.names[product] ?? product
    }

    /// - Returns: false for what the store has not signed for this app and device.
    @discardableResult
    private func take(_ result: VerificationResult<Transaction>) async -> Bool {
        await look()
        guard case .verified(let transaction) = result else { return false }
        // A subscription needs no delivery: what it gives was just looked up.
        await transaction.finish()
        return true
    }

    private func isEntitled(_ status: Product.SubscriptionInfo.Status) -> Bool {
        [.subscribed, .inGracePeriod].contains(status.state)
    }
}
