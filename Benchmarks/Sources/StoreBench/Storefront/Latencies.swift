import Foundation

/// How long each of many calls took, one after the other.
struct Latencies {
    /// Milliseconds, sorted.
    private let sorted: [Double]

    init(_ milliseconds: [Double]) {
        sorted = milliseconds.sorted()
    }

    /// - Parameter body: is timed for each of the queries.
    init(of queries: [String], _ body: (String) throws -> Void) rethrows {
        var times: [Double] = []
        times.reserveCapacity(queries.count)
        for query in queries {
            let start = ContinuousClock.now
            try body(query)
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        self.init(times)
    }

    var median: Double { at(0.5) }
    var p99: Double { at(0.99) }

    private func at(_ part: Double) -> Double {
        sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}
