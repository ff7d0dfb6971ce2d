import StoreCore
import Testing

@Suite struct PerformancePlanTests {
    private let plan = PerformanceTest.Plan(
        concurrentRequests: 10, requests: 100, duration: 1000, threshold: 700, successRate: 95)

    private func samples(_ times: [Int], _ result: SendResult = .success)
        -> [PerformanceTest.Sample]
    {
        times.map { PerformanceTest.Sample(result: result, milliseconds: $0) }
    }

    @Test func `percentiles are times within which so many have answered`() {
        let result = plan.result(of: samples(Array(1...100).reversed()))
        #expect(
            result
                == PerformanceTest.Result(
                    isPassed: true, successRate: 100, average: 50, p50: 50, p90: 90, p95: 95,
                    p99: 99, failures: [:]))
        let one = plan.result(of: samples([7]))
        #expect([one.p50, one.p90, one.p95, one.p99, one.average] == [7, 7, 7, 7, 7])
    }

    @Test(arguments: [(700, "PASS"), (701, "FAIL")])
    func `an answer that comes late has timed out`(time: Int, end: String) {
        let result = plan.result(of: samples(Array(repeating: time, count: 10)))
        #expect(result.isPassed == (end == "PASS"))
        #expect(result.failures == (end == "PASS" ? [:] : ["TIMED_OUT": 10]))
    }

    @Test(arguments: [(5, true), (6, false)])
    func `so many of a hundred may fail`(failed: Int, isPassed: Bool) {
        let result = plan.result(
            of: samples(Array(repeating: 1, count: 100 - failed))
                + samples(Array(repeating: 1, count: failed), .tlsIssue))
        #expect(result.isPassed == isPassed && result.successRate == 100 - failed)
        #expect(result.failures == ["TLS_ISSUE": failed])
    }

    @Test func `who was never asked has not passed`() {
        #expect(!plan.result(of: []).isPassed)
    }
}
