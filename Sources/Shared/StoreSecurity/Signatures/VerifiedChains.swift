import Foundation
import StoreKernel

/// Certificates that were found to lead to the root.
///
/// Every statement of a store carries the same certificates. Whether they lead to the root
/// depends on the date only by their periods of validity, so that one answer is good for
/// all dates within these. Whether one of them was taken back since is for the caller to ask.
final class VerifiedChains: Sendable {
    private struct Chain {
        let certificates: [Certificate]
        let validity: ClosedRange<Date>
    }

    private let chains = Cache<[Data], Chain>(limit: 16)

    /// Leaf, intermediate and root of a chain that was verified before, for a date at which it is
    /// valid.
    func chain(of certificates: [Data], at date: Date) -> [Certificate]? {
        guard let chain = chains.value(for: certificates), chain.validity.contains(date)
        else { return nil }
        return chain.certificates
    }

    /// Remembers a chain, the root included.
    func add(_ certificates: [Data], _ chain: [Certificate]) {
        let periods = chain.compactMap(\.validity)
        guard periods.count == chain.count, let start = periods.map(\.lowerBound).max(),
            let end = periods.map(\.upperBound).min(), start <= end
        else { return }
        chains.insert(Chain(certificates: chain, validity: start...end), for: certificates)
    }
}
