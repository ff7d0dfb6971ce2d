import Foundation
import StoreCore

/// What a running store does by itself: processing packages and collecting what nobody needs.
package struct StoreJobs: Sendable {
    /// Packages that other processes left are looked for so often.
    private static let look: Duration = .seconds(2)
    private static let day: Duration = .seconds(86_400)

    private let store: Store
    private let processor: ContentProcessor
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: waits between two looks.
    package init(
        store: Store,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.store = store
        self.processor = ContentProcessor(store: store, sleep: sleep)
        self.sleep = sleep
    }

    /// Runs until its task is cancelled; returns when nothing is at work any more.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    store.uploadBell.ring()
                    try? await sleep(Self.look)
                }
            }
            group.addTask {
                for await _ in store.uploadBell.rings {
                    await attempt("processing content") { try await processor.processWaiting() }
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await attempt("collecting content") { try await collect() }
                    try? await sleep(Self.day)
                }
            }
        }
    }

    private func collect() async throws {
        let report = try await store.collect(.standard)
        store.log.write(
            .info, "collected content",
            [
                "versions": "\(report.versions.count)", "files": "\(report.files)",
                "bytes": "\(report.bytes)", "uploads": "\(report.uploads)",
            ])
    }

    private func attempt<Value>(_ what: String, _ body: () async throws -> Value) async {
        do {
            _ = try await body()
        } catch is CancellationError {
            return
        } catch {
            store.log.write(.error, "\(what) failed", ["reason": String(describing: error)])
        }
    }
}

/// Wakes whoever processes packages; rings that nobody has heard yet count once.
package final class UploadBell: Sendable {
    package let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (rings, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func ring() {
        continuation.yield()
    }
}
