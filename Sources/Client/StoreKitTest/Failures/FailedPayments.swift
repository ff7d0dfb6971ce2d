import StoreModel
import StoreServer
import Synchronization

/// Payments that a session let fail before the store heard of them, for the list of its transactions.
final class FailedPayments: Sendable {
    /// Their numbers are apart from those of transactions and of purchases that wait.
    private static let offset: UInt = 1 << 61

    private struct State {
        var count: UInt = 0
        var payments: [TestTransaction] = []
    }

    private let state = Mutex(State())

    var transactions: [TestTransaction] { state.withLock { $0.payments } }

    func add(_ product: String, at date: Date) {
        state.withLock { state in
            state.count += 1
            var payment = TestTransaction()
            payment.identifier = Self.offset + state.count
            payment.originalIdentifier = payment.identifier
            payment.productIdentifier = product
            payment.purchaseDate = date
            payment.state = .failed
            state.payments.append(payment)
        }
    }

    /// - Returns: whether there was one with the identifier.
    func remove(_ identifier: UInt) -> Bool {
        state.withLock { state in
            let count = state.payments.count
            state.payments.removeAll { $0.identifier == identifier }
            return state.payments.count < count
        }
    }

    func removeAll() {
        state.withLock { $0.payments = [] }
    }
}
