import Synchronization

/// Numbers that many threads add to, without a lock.
final class CounterRow: @unchecked Sendable {
    // Sendable: the memory is that of atomics, and is made and freed with the object.
    private let start: UnsafeMutablePointer<Atomic<Int>>
    let count: Int

    /// - Parameter count: how many there are; all begin with 0.
    init(count: Int) {
        self.count = count
        start = .allocate(capacity: count)
        for index in 0..<count { (start + index).initialize(to: Atomic(0)) }
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    func add(_ number: Int, to index: Int) {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        start[index].wrappingAdd(number, ordering: .relaxed)
    }

    subscript(index: Int) -> Int {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        return start[index].load(ordering: .relaxed)
    }
}
