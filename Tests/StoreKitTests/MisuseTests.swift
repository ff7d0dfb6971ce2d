import Foundation
import StoreKit
import Synchronization
import Testing

/// Misuse ends the process with a sentence; so each of these runs in one of its own.
@Suite struct Misuse {
    @Test func `finishing a transaction that is purchasing traps with Apple's words`() async throws
    {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            SKPaymentQueue.default().finishTransaction(SKPaymentTransaction())
        }
        #expect(
            String(decoding: result.standardErrorContent, as: UTF8.self)
                .contains("Cannot finish a purchasing transaction"))
    }

    @Test func `the callback executor is named once`() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            OpenStore.useCallbackExecutor(.main)
            OpenStore.useCallbackExecutor(.main)
        }
        #expect(
            String(decoding: result.standardErrorContent, as: UTF8.self)
                .contains("named once, before the first callback"))
    }

    @Test func `callbacks run where the program says`() async {
        await #expect(processExitsWith: .success) {
            // A program whose main thread runs a loop of its own.
            let jobs = Mutex<[@Sendable () -> Void]>([])
            let (ready, wake) = AsyncStream<Void>.makeStream()
            OpenStore.useCallbackExecutor(
                OpenStoreCallbackExecutor { job in
                    jobs.withLock { $0.append(job) }
                    wake.yield()
                })
            let delegate = Delegate()
            let request = SKProductsRequest(productIdentifiers: [])
            request.delegate = delegate
            request.start()
            for await _ in ready {
                let next = jobs.withLock { jobs in jobs.isEmpty ? nil : jobs.removeFirst() }
                guard let next else { continue }
                precondition(!delegate.isDone.withLock { $0 }, "told before the program said so")
                next()
                if delegate.isDone.withLock({ $0 }) { break }
            }
        }
    }
}

private final class Delegate: NSObject, SKProductsRequestDelegate, Sendable {
    let isDone = Mutex(false)

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}

    // There is no profile, so the request fails.
    func request(_ request: SKRequest, didFailWithError error: any Error) {
        isDone.withLock { $0 = true }
    }
}
