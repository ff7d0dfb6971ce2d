/// What a writer that commits transactions in groups has done since it began.
package struct WriteMetrics: Sendable, Hashable {
    /// The largest groups that are counted apart, in transactions; larger ones come last.
    package static let bounds = [1, 2, 4, 8, 16, 32, 64, 128, 256]

    /// Transactions that wait for the next group.
    package internal(set) var waiting = 0
    package private(set) var transactions = 0
    /// Groups by their size, one for each of `bounds` and one for larger ones.
    package private(set) var groups = [Int](repeating: 0, count: bounds.count + 1)

    mutating func add(group size: Int) {
        guard size > 0 else { return }
        transactions += size
        groups[Self.bounds.firstIndex { size <= $0 } ?? Self.bounds.count] += 1
    }
}
