import Foundation
import Synchronization

/// A bounded cache: values by key, the ones asked for lately stay (an approximate LRU, memoization).
///
/// ```swift
/// let prices = Cache<ProductID, Price>(limit: 1000)
/// let price = try await prices.value(for: id) { try await store.price(of: id) }
/// ```
///
/// The limit is a sum of costs: bytes, or the number of entries where each costs 1. A value that was
/// made for a version (the generation of a catalog) is only found by that version. Where the cache
/// has a clock, each value has an end. What is no longer good stays for `lastValue(for:)` until it
/// is replaced or evicted.
///
/// Entries lie in two shelves. A value that is inserted, or found in the old shelf, comes into the
/// young one; when that is full, it becomes the old one, and what lay there is evicted. So a look-up
/// is one dictionary access, usually, and nothing has to be sorted.
///
/// It is public and inlinable, as nothing else here is: only so does the compiler make code for its
/// types in other modules, and a look-up by generic code takes four times as long.
public final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline let state = Mutex(CacheState<Key, Value>())
    @usableFromInline let shelfLimit: Int
    @usableFromInline let entryLimit: Int
    @usableFromInline let cost: @Sendable (Key, Value) -> Int
    @usableFromInline let now: (@Sendable () -> Date)?
    @usableFromInline let end: @Sendable (Value, Date) -> Date

    /// - Parameters:
    ///   - limit: the most that all entries cost together; at least 2.
    ///   - entryLimit: a value that costs more is not kept; `nil` for an eighth of the limit.
    ///   - cost: of an entry, in the unit of the limit.
    ///   - now: the clock; `nil` if values don't age.
    ///   - end: when a value that is inserted now stops being good. It is not good either where the
    ///     clock was set back before its insertion.
    package init(
        limit: Int, entryLimit: Int? = nil,
        cost: @escaping @Sendable (Key, Value) -> Int = { _, _ in 1 },
        now: (@Sendable () -> Date)? = nil,
        end: @escaping @Sendable (Value, Date) -> Date = { _, _ in .distantFuture }
    ) {
        precondition(limit >= 2, "a cache has room for two entries")
        shelfLimit = limit / 2
        self.entryLimit = min(entryLimit ?? max(1, limit / 8), limit / 2)
        self.cost = cost
        self.now = now
        self.end = end
    }

    /// Values that are good for some seconds.
    package convenience init(
        limit: Int, entryLimit: Int? = nil,
        cost: @escaping @Sendable (Key, Value) -> Int = { _, _ in 1 },
        lifetime: TimeInterval, now: @escaping @Sendable () -> Date
    ) {
        self.init(
            limit: limit, entryLimit: entryLimit, cost: cost, now: now,
            end: { _, now in now.addingTimeInterval(lifetime) })
    }

    /// The value of a key; `nil` if there is none, it is too old, or was made for another version.
    @inlinable
    public func value(for key: Key, version: Int64 = 0) -> Value? {
        let now = now?()
        // What is evicted is destroyed after the lock was left.
        var evicted: [Key: CacheEntry<Value>] = [:]
        return state.withLock { state in
            state.value(for: key, version, at: now, shelfLimit, &evicted)
        }
    }

    /// The value that was inserted last, whether it is still good or not.
    ///
    /// It serves whoever asks for changes since then, and those who rather have an old value than wait.
    @inlinable
    public func lastValue(for key: Key) -> Value? {
        state.withLock { ($0.young[key] ?? $0.old[key])?.value }
    }

    /// Keeps a value, in the place of the one that is there, unless that is of a later version.
    ///
    /// - Parameter version: from before the value was made.
    @inlinable
    public func insert(_ value: Value, for key: Key, version: Int64 = 0) {
        let entry = entry(value, key, version)
        var evicted: [Key: CacheEntry<Value>] = [:]
        state.withLock { $0.insert(entry, for: key, shelfLimit, entryLimit, &evicted) }
    }

    @inlinable
    func entry(_ value: Value, _ key: Key, _ version: Int64) -> CacheEntry<Value> {
        let start = now?() ?? .distantPast
        return CacheEntry(
            value: value, cost: max(0, cost(key, value)), version: version, start: start,
            end: end(value, start))
    }

    /// Forgets the value of a key, and the one that is being made: it is not kept, and whoever asks
    /// from now on doesn't get it.
    package func removeValue(for key: Key) {
        state.withLock { $0.removeValue(for: key) }
    }

    /// Forgets everything, also what is being made.
    package func removeAll() {
        // Destroyed after the lock was left.
        var evicted = (young: [Key: CacheEntry<Value>](), old: [Key: CacheEntry<Value>]())
        state.withLock { state in
            swap(&evicted.young, &state.young)
            swap(&evicted.old, &state.old)
            (state.youngCost, state.oldCost) = (0, 0)
            state.running = [:]
        }
    }

    /// What all entries cost together.
    package var totalCost: Int { state.withLock { $0.youngCost + $0.oldCost } }
}

// MARK: Making what is missing

extension Cache {
    /// The value of a key, made here if it is missing.
    ///
    /// Two that ask at once may both make it.
    @inlinable
    public func value(
        for key: Key, version: Int64 = 0, make: () throws -> Value
    ) rethrows -> Value {
        if let known = value(for: key, version: version) { return known }
        let made = try make()
        insert(made, for: key, version: version)
        return made
    }

    /// The value of a key if there is any, made by one of those that ask for it at once (single
    /// flight).
    ///
    /// The others wait. An error reaches all of them and is not kept, nor is `nil`. Whoever is
    /// cancelled while waiting leaves the others waiting; where the one that makes the value is
    /// cancelled, another one begins anew.
    ///
    /// - Parameter make: makes the value, in the task that asks; `nil` if there is none.
    /// - Throws: what `make` throws; `CancellationError` to whom was cancelled while waiting.
    @inlinable
    public func valueIfAny(
        for key: Key, version: Int64 = 0, make: () async throws -> Value?
    ) async throws -> Value? {
        while true {
            let now = now?()
            var evicted: [Key: CacheEntry<Value>] = [:]
            let turn = state.withLock { state in
                state.turn(for: key, version, at: now, shelfLimit, &evicted)
            }
            switch turn {
            case .found(let value): return value
            case .make(let flight):
                do {
                    let made = try await make()
                    finish(flight, of: key, version, .made(made))
                    return made
                } catch {
                    finish(flight, of: key, version, Task.isCancelled ? .again : .failed(error))
                    throw error
                }
            case .wait(let flight):
                switch await outcome(of: flight) {
                case .made(let value): return value
                case .failed(let error): throw error
                case .cancelled: throw CancellationError()
                case .again: continue
                }
            }
        }
    }

    /// The value of a key, made by one of those that ask for it at once, as `valueIfAny` does it.
    ///
    /// - Throws: what `make` throws; `CancellationError` to whom was cancelled while waiting.
    @inlinable
    public func value(
        for key: Key, version: Int64 = 0, make: () async throws -> Value
    ) async throws -> Value {
        let value = try await valueIfAny(for: key, version: version) { try await make() }
        guard let value else { preconditionFailure("a value was just made") }
        return value
    }

    /// Keeps what was made unless it was removed meanwhile, and wakes those that wait for it.
    @usableFromInline
    func finish(_ flight: Int, of key: Key, _ version: Int64, _ outcome: CacheOutcome<Value>) {
        var made: CacheEntry<Value>?
        if case .made(let value?) = outcome { made = entry(value, key, version) }
        var evicted: [Key: CacheEntry<Value>] = [:]
        let waiting = state.withLock { state in
            if state.running[key]?.number == flight {
                state.running[key] = nil
                if let made { state.insert(made, for: key, shelfLimit, entryLimit, &evicted) }
            }
            return state.waiting.removeValue(forKey: flight) ?? [:]
        }
        for waiter in waiting.values { waiter.resume(returning: outcome) }
    }

    @usableFromInline
    func outcome(of flight: Int) async -> CacheOutcome<Value> {
        let waiter = state.withLock { $0.nextNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> CacheOutcome<Value>? in
                    if Task.isCancelled { return .cancelled }
                    // It has ended meanwhile.
                    guard state.waiting[flight] != nil else { return .again }
                    state.waiting[flight]?[waiter] = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            state.withLock { $0.waiting[flight]?.removeValue(forKey: waiter) }?
                .resume(returning: .cancelled)
        }
    }

    /// How many wait for values that others make.
    package var waiterCount: Int {
        state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } }
    }
}
