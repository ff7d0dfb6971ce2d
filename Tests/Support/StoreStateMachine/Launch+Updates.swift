import Foundation
import StoreKit
import StoreModel

/// What an app does that uses StoreKit 2.
extension Launch {
    /// Begins a loop over updates.
    ///
    /// - Parameter choice: whether the app finishes at once what it has.
    func listen(finishing choice: Choice) {
        asApp { launch in
            for await result in Transaction.updates {
                await launch.endsAtUpdate(result)
                launch.view.hearUpdate(result)
                guard choice.make() else { continue }
                await launch.finish(result.unsafePayloadValue)
            }
        }
    }

    /// Asks for a product, and buys it.
    func buy(
        _ product: String, options: Set<Product.PurchaseOption>, tag: String,
        finishing choice: Choice
    ) {
        asApp { launch in
            do {
                guard let found = try await Product.products(for: [product]).first else {
                    throw StoreKitError.unknown
                }
                let result = try await launch.engine.purchase(found, options: options)
                launch.view.hearPurchase(result, tag: tag)
                guard case .success(let signed) = result, choice.make() else { return }
                await launch.finish(signed.unsafePayloadValue)
            } catch {
                launch.view.hearError(error, tag: tag)
            }
        }
    }

    /// What the app may use, and what it has yet to finish.
    func readSequences(
        _ read: @escaping @Sendable (_ entitled: [Transaction], _ unfinished: [Transaction]) -> Void
    ) {
        asApp { _ in
            var entitled: [Transaction] = []
            for await result in Transaction.currentEntitlements {
                entitled.append(result.unsafePayloadValue)
            }
            var unfinished: [Transaction] = []
            for await result in Transaction.unfinished {
                unfinished.append(result.unsafePayloadValue)
            }
            read(entitled, unfinished)
        }
    }

    /// Ends the launch where that is asked for: a loop has a transaction, and the app has done
    /// nothing with it.
    private func endsAtUpdate(_ result: VerificationResult<Transaction>) async {
        guard case .update(let isRevoked) = crashPoint,
            !isRevoked || result.unsafePayloadValue.revocationDate != nil
        else { return }
        crash()
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    private func finish(_ transaction: Transaction) async {
        view.askUpdate(transaction)
        await transaction.finish()
    }

    /// Runs a task of the app.
    private func asApp(_ body: @escaping @Sendable (Launch) async -> Void) {
        guard !isDead else { return }
        pool.acting(as: owner) {
            _ = Task {
                await PaymentEngine.$ofTask.withValue(engine) { await body(self) }
            }
        }
    }
}

/// A decision that the run's seed makes.
struct Choice: @unchecked Sendable {
    // Sendable: called by the one thread that runs jobs.
    let make: () -> Bool
}
