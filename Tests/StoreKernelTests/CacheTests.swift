import Foundation
import StoreKernel
import StoreTestSupport
import Testing

@Suite struct CacheTests {
    @Test func `a value is found by its version, and an older one does not replace it`() {
        let cache = Cache<String, Int>(limit: 1000)
        cache.insert(1, for: "a", version: 5)
        #expect(cache.value(for: "a", version: 5) == 1)
        #expect(cache.value(for: "b", version: 5) == nil)
        #expect(cache.value(for: "a", version: 6) == nil)
        #expect(cache.lastValue(for: "a") == 1)
        cache.insert(2, for: "a", version: 6)
        #expect(cache.value(for: "a", version: 5) == nil)
        // Somebody was slow, and has a value of before.
        cache.insert(3, for: "a", version: 5)
        #expect(cache.value(for: "a", version: 6) == 2)
        cache.insert(4, for: "a", version: 6)
        #expect(cache.value(for: "a", version: 6) == 4)
    }

    @Test func `what is asked for stays, the rest goes, and the limit is not exceeded`() {
        let cache = Cache<Int, Int>(limit: 1000, cost: { _, _ in 100 })
        cache.insert(0, for: 0)
        for number in 1...100 {
            cache.insert(number, for: number)
            #expect(cache.value(for: 0) == 0)
            #expect(cache.totalCost <= 1000)
        }
        let left = (0...100).filter { cache.value(for: $0) != nil }
        #expect(left.count <= 10 && left.contains(0) && left.contains(100))
    }

    @Test func `a value that is replaced costs nothing any more`() {
        let cache = Cache<Int, Int>(limit: 100, cost: { $1 })
        for _ in 1...50 {
            cache.insert(10, for: 1)
            cache.insert(5, for: 2)
        }
        #expect(cache.totalCost == 15)
        // Both lie in the old shelf, and come out of it.
        for number in 3...7 { cache.insert(10, for: number) }
        cache.insert(7, for: 1)
        #expect(cache.value(for: 2) == 5)
        #expect(cache.totalCost == 62)
        cache.removeValue(for: 1)
        #expect(cache.totalCost == 55)
        cache.removeAll()
        #expect(cache.totalCost == 0)
        #expect((1...7).allSatisfy { cache.value(for: $0) == nil })
    }

    @Test func `what is too large is not kept, nor what it was to replace`() {
        let cache = Cache<Int, Int>(limit: 1000, cost: { $1 })
        cache.insert(125, for: 1)
        #expect(cache.value(for: 1) == 125)
        cache.insert(126, for: 1)
        #expect(cache.lastValue(for: 1) == nil)
        let large = Cache<Int, Int>(limit: 1000, entryLimit: 500, cost: { $1 })
        for number in 1...4 { large.insert(500, for: number) }
        #expect(large.value(for: 4) == 500)
        #expect(large.totalCost == 1000)
    }

    @Test func `the smallest cache has the two last ones`() {
        let cache = Cache<Int, Int>(limit: 2)
        for number in 1...3 { cache.insert(number, for: number) }
        #expect((1...3).map { cache.lastValue(for: $0) } == [nil, 2, 3])
    }

    @Test func `a value ages, and is not good before it was made`() {
        let clock = SettableClock()
        let cache = Cache<Int, String>(limit: 10, lifetime: 60, now: clock.now)
        cache.insert("a", for: 1)
        clock.advance(by: 59)
        #expect(cache.value(for: 1) == "a")
        clock.advance(by: 1)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.lastValue(for: 1) == "a")
        clock.advance(by: -61)
        #expect(cache.value(for: 1) == nil)
    }

    @Test func `a value says itself when it ends`() {
        let clock = SettableClock()
        let cache = Cache<Int, Double>(limit: 10, now: clock.now, end: { $1 + min($0, 60) })
        for value in [5.0, 100] { cache.insert(value, for: Int(value)) }
        clock.advance(by: 5)
        #expect(cache.value(for: 5) == nil)
        #expect(cache.value(for: 100) == 100)
        clock.advance(by: 55)
        #expect(cache.value(for: 100) == nil)
    }

    @Test func `what is missing is made once, an error is not kept`() {
        let cache = Cache<Int, Int>(limit: 10)
        #expect(throws: CancellationError.self) {
            try cache.value(for: 1) { () throws -> Int in throw CancellationError() }
        }
        let count = Counter()
        let values = (1...3).map { _ in cache.value(for: 1) { count.next() } }
        #expect(values == [1, 1, 1])
    }

    @Test func `many threads find what they inserted or nothing, within the limit`() async throws {
        let cache = Cache<Int, Int>(limit: 64)
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SeededRandom(seed: UInt64(task))
                    for _ in 0..<2000 {
                        let key = Int.random(in: 0..<100, using: &random)
                        switch Int.random(in: 0..<8, using: &random) {
                        case 0: cache.insert(key * 2, for: key)
                        case 1: cache.removeValue(for: key)
                        case 2:
                            let made = try await cache.value(for: key) {
                                await Task.yield()
                                return key * 2
                            }
                            #expect(made == key * 2)
                        default: #expect([nil, key * 2].contains(cache.value(for: key)))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(cache.totalCost <= 64)
        #expect(cache.waiterCount == 0)
    }
}
