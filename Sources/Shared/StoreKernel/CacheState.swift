import Foundation

/// A value in a cache, with what says how long it is good.
@usableFromInline
struct CacheEntry<Value: Sendable>: Sendable {
    @usableFromInline let value: Value
    @usableFromInline let cost: Int
    @usableFromInline let version: Int64
    @usableFromInline let start: Date
    @usableFromInline let end: Date

    @inlinable
    init(value: Value, cost: Int, version: Int64, start: Date, end: Date) {
        (self.value, self.cost, self.version) = (value, cost, version)
        (self.start, self.end) = (start, end)
    }

    /// - Parameter now: `nil` if nothing ages.
    @inlinable
    func isGood(_ version: Int64, at now: Date?) -> Bool {
        guard self.version == version else { return false }
        guard let now else { return true }
        return start <= now && now < end
    }
}

/// What became of a value that was being made, for those that wait for it.
@usableFromInline
enum CacheOutcome<Value: Sendable>: Sendable {
    case made(Value?)
    case failed(any Error)
    /// Whoever waits was cancelled.
    case cancelled
    /// Whoever made it was cancelled: somebody else has to.
    case again
}

/// The shelves of a cache, and what is being made.
@usableFromInline
struct CacheState<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline typealias Entries = [Key: CacheEntry<Value>]
    @usableFromInline
    typealias Waiters = [Int: CheckedContinuation<CacheOutcome<Value>, Never>]

    /// What whoever asks for a value has to do.
    @usableFromInline enum Turn: Sendable {
        case found(Value)
        case make(Int)
        case wait(Int)
    }

    /// A value that is being made.
    @usableFromInline struct Flight: Sendable {
        @usableFromInline let number: Int
        @usableFromInline let version: Int64

        @inlinable
        init(number: Int, version: Int64) {
            (self.number, self.version) = (number, version)
        }
    }

    /// What was inserted or asked for lately.
    @usableFromInline var young: Entries = [:]
    /// What is evicted next.
    @usableFromInline var old: Entries = [:]
    @usableFromInline var youngCost = 0
    @usableFromInline var oldCost = 0
    /// What is being made and will be kept.
    @usableFromInline var running: [Key: Flight] = [:]
    /// Those that wait, by the number of what they wait for: also for what will not be kept.
    @usableFromInline var waiting: [Int: Waiters] = [:]
    @usableFromInline var lastNumber = 0

    @inlinable
    init() {}

    @inlinable
    mutating func value(
        for key: Key, _ version: Int64, at now: Date?, _ shelfLimit: Int, _ evicted: inout Entries
    ) -> Value? {
        if let entry = young[key] { return entry.isGood(version, at: now) ? entry.value : nil }
        guard let entry = old[key], entry.isGood(version, at: now) else { return nil }
        old[key] = nil
        oldCost -= entry.cost
        add(entry, for: key, shelfLimit, &evicted)
        return entry.value
    }

    @inlinable
    mutating func insert(
        _ entry: CacheEntry<Value>, for key: Key, _ shelfLimit: Int, _ entryLimit: Int,
        _ evicted: inout Entries
    ) {
        if let known = young[key] ?? old[key] {
            guard known.version <= entry.version else { return }
            removeEntry(for: key)
        }
        guard entry.cost <= entryLimit else { return }
        add(entry, for: key, shelfLimit, &evicted)
    }

    @inlinable
    mutating func add(
        _ entry: CacheEntry<Value>, for key: Key, _ shelfLimit: Int, _ evicted: inout Entries
    ) {
        if youngCost + entry.cost > shelfLimit {
            evicted = old
            (old, oldCost) = (young, youngCost)
            (young, youngCost) = ([:], 0)
        }
        young[key] = entry
        youngCost += entry.cost
    }

    @inlinable
    mutating func removeEntry(for key: Key) {
        if let entry = young.removeValue(forKey: key) { youngCost -= entry.cost }
        if let entry = old.removeValue(forKey: key) { oldCost -= entry.cost }
    }

    mutating func removeValue(for key: Key) {
        removeEntry(for: key)
        running[key] = nil
    }

    /// Finds the value, or whoever makes it, or says that it is to be made.
    @inlinable
    mutating func turn(
        for key: Key, _ version: Int64, at now: Date?, _ shelfLimit: Int, _ evicted: inout Entries
    ) -> Turn {
        if let value = value(for: key, version, at: now, shelfLimit, &evicted) {
            return .found(value)
        }
        if let flight = running[key], flight.version == version { return .wait(flight.number) }
        let number = nextNumber()
        running[key] = Flight(number: number, version: version)
        waiting[number] = [:]
        return .make(number)
    }

    @inlinable
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
