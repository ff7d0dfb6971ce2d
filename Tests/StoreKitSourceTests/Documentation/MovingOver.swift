import StoreKit

/// The pieces of <doc:MovingFromTheOriginalAPI>.
@MainActor final class MovedShop {
    private var updates: Task<Void, Never>?

    func listen() {
        updates = Task {
            for await result in Transaction.updates {
                await deliver(result)
            }
        }
    }

    func buy(_ product: Product) async throws {
        switch try await product.purchase() {
        case .success(let result):
            await deliver(result)
        case .userCancelled:
            break
        case .pending:
            print("Somebody else has to approve it.")
        @unknown default:
            break
        }
    }

    func deliver(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        if transaction.revocationDate == nil {
            unlock(transaction.productID, for: String(transaction.id))
        } else {
            lock(transaction.productID)
        }
        await transaction.finish()
    }

    private func unlock(_ product: Product.ID, for transaction: String) {}
    private func lock(_ product: Product.ID) {}
}
