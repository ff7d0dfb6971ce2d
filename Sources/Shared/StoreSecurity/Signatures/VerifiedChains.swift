import Foundation
import Synchronization

/// Leaves that were found to lead to the root.
///
/// Every statement of a store carries the same certificates. Whether they lead to the root
/// depends on the date only by their periods of validity, so that one answer is good for
/// all dates within these.
final class VerifiedChains: Sendable {
    private struct Chain {
        let leaf: Certificate
        let validity: ClosedRange<Date>
    }

    private static let capacity = 16

    private let chains = Mutex<[[Data]: Chain]>([:])

    /// The leaf of a chain that was verified before, for a date at which it is valid.
    func leaf(of certificates: [Data], at date: Date) -> Certificate? {
        guard let chain = chains.withLock({ $0[certificates] }), chain.validity.contains(date)
        else { return nil }
        return chain.leaf
    }

    /// Remembers a chain, the root included.
    func add(_ certificates: [Data], _ chain: [Certificate]) {
        guard let leaf = chain.first else { return }
        let periods = chain.compactMap(\.validity)
        guard periods.count == chain.count, let start = periods.map(\.lowerBound).max(),
            let end = periods.map(\.upperBound).min(), start <= end
        else { return }
        chains.withLock { chains in
            if chains.count >= Self.capacity { chains.removeAll() }
            chains[certificates] = Chain(leaf: leaf, validity: start...end)
        }
    }
}
