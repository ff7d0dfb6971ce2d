import Foundation
import StoreHTTP
import StoreTestSupport
import Testing

/// `TEST_REQUESTS=1000000 TEST_SEED=5 swift test --filter GeneratedRequestTests` sends so many, with
/// that seed, and demands that none takes five seconds.
@Suite struct GeneratedRequestTests {
    private static let wanted = number("TEST_REQUESTS")
    private static let seed = UInt64(number("TEST_SEED") ?? 1)
    /// What one request makes is there for the next ones, and nothing grows without an end.
    private static let requestsOfStore = 500

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test func `whatever is asked with whatever letters, the store answers`() async throws {
        let count = Self.wanted ?? 2_000
        var slowest = (duration: Duration.zero, request: "")
        var answered: [Int: Int] = [:]
        let filled = try await FilledShop()
        for first in stride(from: 0, to: count, by: Self.requestsOfStore) {
            let shop = try filled.copy()
            defer { shop.close() }
            var generator = RequestGenerator(seed: Self.seed, requests: count, first: first)
            for number in first..<min(count, first + Self.requestsOfStore) {
                let request = generator.request(to: shop, of: filled)
                let start = ContinuousClock.now
                let response = await shop.answer(to: request)
                if case .file(let slice) = response.body { withExtendedLifetime(slice) {} }
                let duration = ContinuousClock.now - start
                let name = "request \(number), \(request.method) \(request.path.prefix(200))"
                if duration > slowest.duration { slowest = (duration, name) }
                answered[response.status, default: 0] += 1
                try #require(
                    response.status < 500 || response.headers["Retry-After"] != nil,
                    "seed \(Self.seed), \(name) \(request.query) is answered with \(response.status)"
                )
            }
        }
        let figures = answered.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }
        print("requests answered: \(figures.joined(separator: ", "))")
        print("the slowest took \(slowest.duration): \(slowest.request)")
        // Requests that reach nothing would pass all of this.
        #expect(answered.filter { $0.key < 400 }.values.reduce(0, +) > count / 20)
        if Self.wanted != nil { #expect(slowest.duration < .seconds(5), "\(slowest.request)") }
    }
}
