@testable import StoreKit

extension TestDevice {
    /// Does something in which StoreKit 2's functions go to this device.
    func use<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await PaymentEngine.$ofTask.withValue(engine) { try await body() }
    }

    /// A loop over a sequence of this device's.
    func loop<Sequence: AsyncSequence>(
        over sequence: () -> Sequence
    ) -> Sequence.AsyncIterator {
        PaymentEngine.$ofTask.withValue(engine) { sequence().makeAsyncIterator() }
    }

    /// Buys as an app does, and gives the verified transaction.
    func purchase(
        _ product: String, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction? {
        try await use {
            let product = try await Product.products(for: [product]).first
            guard case .success(let result) = try await product?.purchase(options: options) else {
                return nil
            }
            return try result.payloadValue
        }
    }

    /// All that a sequence has.
    func all(
        _ sequence: () -> Transaction.Transactions
    ) async throws -> [Transaction] {
        try await use {
            var found: [Transaction] = []
            for await result in sequence() { found.append(try result.payloadValue) }
            return found
        }
    }

    /// Fetches what has changed in the account's history.
    func refreshHistory() async throws {
        let opened = try engine.open()
        engine.noteChange(opened)
        await engine.refreshHistory(opened).value
    }

    func entitlements() async throws -> [String] {
        try await all { Transaction.currentEntitlements }.map(\.productID).sorted()
    }

    /// The next transactions that a loop over updates gets.
    func updates(_ count: Int) async throws -> [Transaction] {
        try await use {
            var found: [Transaction] = []
            for await result in Transaction.updates {
                found.append(try result.payloadValue)
                if found.count == count { break }
            }
            return found
        }
    }
}
