import Foundation
import StoreAPI
import StoreCore
import StoreModel
import StoreWire

/// Does the tests of how fast publishers' servers choose messages: really sends the requests that
/// they would get.
package struct PerformanceTesting: Sendable {
    /// How far a test is, is written down after so many answers.
    private static let step = 25

    private let services: APIServices
    private let connection: any PublisherConnection
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: waits between two requests.
    package init(
        services: APIServices, connection: any PublisherConnection,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.services = services
        self.connection = connection
        self.sleep = sleep
    }

    /// Does the tests that wait, one after the other.
    package func runWaiting() async throws {
        while let assignment = try await services.realtime.take() {
            do {
                try await run(assignment)
            } catch is CancellationError where !Task.isCancelled {
                continue
            }
        }
    }

    private func run(_ assignment: RealtimeService.Assignment) async throws {
        var test = assignment.test
        let plan = test.plan
        let pause = Duration.milliseconds(plan.duration) / max(plan.requests, 1)
        var samples: [PerformanceTest.Sample] = []
        try await withThrowingTaskGroup(of: PerformanceTest.Sample?.self) { group in
            func take() async throws {
                guard let sample = try await group.next() else { return }
                // Whoever was cancelled leaves the test to the next one who comes.
                guard let sample else { throw CancellationError() }
                samples.append(sample)
                guard samples.count.isMultiple(of: Self.step) else { return }
                test.answered = samples.count
                // Somebody else took it while this process was asleep.
                guard try await services.realtime.record(test, of: assignment) else {
                    throw CancellationError()
                }
            }
            for number in 0..<plan.requests {
                if number >= plan.concurrentRequests { try await take() }
                group.addTask { try await ask(assignment) }
                try await sleep(pause)
            }
            for _ in 0..<min(plan.requests, plan.concurrentRequests) { try await take() }
        }
        test.answered = samples.count
        test.result = plan.result(of: samples)
        _ = try await services.realtime.record(test, of: assignment)
    }

    /// Asks once; nil where the task was cancelled.
    private func ask(
        _ assignment: RealtimeService.Assignment
    ) async throws -> PerformanceTest.Sample? {
        let body = try question(assignment)
        let start = ContinuousClock.now
        let timeout = Duration.milliseconds(assignment.test.plan.threshold * 2)
        let answer = await connection.ask(body, of: assignment.test.url, within: timeout)
        guard let answer else { return nil }
        let duration = (ContinuousClock.now - start).components
        var result = answer.outcome.result
        if result == .success, !RealtimeAnswer.isValid(answer.body) { result = .invalidResponse }
        return PerformanceTest.Sample(
            result: result,
            milliseconds: Int(duration.seconds) * 1000
                + Int(duration.attoseconds / 1_000_000_000_000_000))
    }

    private func question(_ assignment: RealtimeService.Assignment) throws -> Data {
        let signer = services.transactionSigner
        let payload = RealtimePayload(
            originalTransactionId: assignment.subscription.original.id.description,
            appAppleId: assignment.app.id.number,
            productId: assignment.subscription.product.text, userLocale: assignment.locale,
            requestIdentifier: UUID().uuidString.lowercased(),
            signedDate: signer.now.milliseconds,
            environment: signer.names.name(of: assignment.test.scope.environment))
        return try WireCoding.encode(
            RealtimeRequestBody(signedPayload: try signer.sign(payload)))
    }
}
