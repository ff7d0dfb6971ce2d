import Foundation
import StoreTestSupport
import Testing

/// Lets tests wait for an object store in the middle of their tasks, as its client does.
///
/// Each piece of such a test runs on a thread of its own: the few threads that run all other tasks
/// stay free. The server, which takes a while to start, is started before the first one.
struct UsesObjectServer: SuiteTrait, TestTrait, TestScoping {
    private static let server: Task<Void, Never> = Task {
        // Why it can't be started is said to the test that asks for it.
        _ = try? await onThread { try ObjectServer.shared }
    }

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Self.server.value
        try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
    }
}

extension Trait where Self == UsesObjectServer {
    /// The tests ask an object store.
    static var usesObjectServer: UsesObjectServer { UsesObjectServer() }
}
