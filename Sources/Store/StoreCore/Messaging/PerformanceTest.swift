import Foundation
import StoreDatabase
import StoreModel

/// A test of whether a publisher's server tells fast enough which message a customer gets.
package struct PerformanceTest: Sendable, Hashable {
    /// How it is done.
    package struct Plan: Sendable, Hashable, Codable {
        package var concurrentRequests: Int
        package var requests: Int
        /// Milliseconds, as all times here: over which the requests are spread.
        package var duration: Int
        /// A later answer is a failure.
        package var threshold: Int
        /// So many of a hundred answers have to come in time.
        package var successRate: Int

        package init(
            concurrentRequests: Int, requests: Int, duration: Int, threshold: Int,
            successRate: Int
        ) {
            self.concurrentRequests = concurrentRequests
            self.requests = requests
            self.duration = duration
            self.threshold = threshold
            self.successRate = successRate
        }

        package static let standard = Plan(
            concurrentRequests: 10, requests: 200, duration: 10_000, threshold: 700,
            successRate: 95)
    }

    /// How it ended.
    package struct Result: Sendable, Hashable, Codable {
        package var isPassed: Bool
        /// Of a hundred.
        package var successRate: Int
        package var average: Int
        package var p50: Int
        package var p90: Int
        package var p95: Int
        package var p99: Int
        /// By the names of `SendResult`.
        package var failures: [String: Int]

        package init(
            isPassed: Bool, successRate: Int, average: Int, p50: Int, p90: Int, p95: Int,
            p99: Int, failures: [String: Int]
        ) {
            self.isPassed = isPassed
            self.successRate = successRate
            self.average = average
            self.p50 = p50
            self.p90 = p90
            self.p95 = p95
            self.p99 = p99
            self.failures = failures
        }
    }

    /// What came of one request.
    package struct Sample: Sendable, Hashable {
        package var result: SendResult
        package var milliseconds: Int

        package init(result: SendResult, milliseconds: Int) {
            self.result = result
            self.milliseconds = milliseconds
        }
    }

    /// A UUID in small letters.
    package let id: String
    package let scope: AppScope
    package let url: String
    package let original: TransactionID
    package let plan: Plan
    package let date: Date
    /// Requests that are answered.
    package var answered = 0
    /// Nil while it runs.
    package var result: Result?
}

extension PerformanceTest: Record {
    package static let table: StaticString = "performance_test"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        scope = try column.part(\.scope)
        url = try column("url", \.url)
        original = try column("original", \.original)
        plan = try column.json("plan", \.plan, sample: .standard)
        date = try column("date", \.date)
        answered = try column("answered", \.answered)
        result = try column.optionalJSON("result", \.result, sample: nil)
    }
}

extension PerformanceTest.Plan {
    /// What the answers mean.
    package func result(of samples: [PerformanceTest.Sample]) -> PerformanceTest.Result {
        var failures: [String: Int] = [:]
        for sample in samples {
            let result =
                sample.result == .success && sample.milliseconds > threshold
                ? SendResult.timedOut : sample.result
            if result != .success { failures[result.rawValue, default: 0] += 1 }
        }
        let failed = failures.values.reduce(0, +)
        let rate = samples.isEmpty ? 0 : (samples.count - failed) * 100 / samples.count
        let times = samples.map(\.milliseconds).sorted()
        /// The time within which so many of a hundred have answered.
        func percentile(_ part: Int) -> Int {
            times.isEmpty ? 0 : times[max(0, (times.count * part + 99) / 100 - 1)]
        }
        return PerformanceTest.Result(
            isPassed: rate >= successRate, successRate: rate,
            average: times.isEmpty ? 0 : times.reduce(0, +) / times.count, p50: percentile(50),
            p90: percentile(90), p95: percentile(95), p99: percentile(99), failures: failures)
    }
}
