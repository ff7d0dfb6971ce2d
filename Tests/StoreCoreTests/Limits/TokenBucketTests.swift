import Foundation
import StoreCore
import Testing

@Suite struct TokenBucketTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)

    @Test func `a minute's worth may come at once, and then as many as come back`() {
        var bucket = TokenBucket(perMinute: 60, at: start)
        for _ in 0..<60 { #expect(bucket.take(perMinute: 60, at: start) == nil) }
        #expect(bucket.take(perMinute: 60, at: start) == 1)
        #expect(bucket.take(perMinute: 60, at: start + 0.5) == 0.5)
        #expect(bucket.take(perMinute: 60, at: start + 1) == nil)
        #expect(bucket.take(perMinute: 60, at: start + 1) != nil)
        // However long nobody comes, there is no more than a minute's worth.
        for _ in 0..<60 { #expect(bucket.take(perMinute: 60, at: start + 86_400) == nil) }
        #expect(bucket.take(perMinute: 60, at: start + 86_400) != nil)
    }

    @Test func `a clock that is put back gives nothing`() {
        var bucket = TokenBucket(perMinute: 2, at: start)
        #expect(bucket.take(perMinute: 2, at: start) == nil)
        #expect(bucket.take(perMinute: 2, at: start - 3600) == nil)
        #expect(bucket.take(perMinute: 2, at: start - 3600) == 30)
        #expect(!bucket.isFull(perMinute: 2, at: start - 3600))
        #expect(bucket.isFull(perMinute: 2, at: start - 3540))
    }
}
