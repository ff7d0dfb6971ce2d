import Foundation
import StoreTestSupport
import Testing

/// Lets tests wait for databases, files and servers, which they do in the middle of their tasks.
///
/// Each piece of such a test runs on a thread of its own: the few threads that run all other tasks
/// stay free. What the tests share, and takes seconds to start, is started before the first one.
struct MayBlock: SuiteTrait, TestTrait, TestScoping {
    fileprivate let isReady: Task<Void, Never>

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await isReady.value
        try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
    }

    // Why something can't be started is said to the test that asks for it.

    /// The PostgreSQL server, with the database that others are copies of.
    fileprivate static let postgres: Task<Void, Never> = Task {
        _ = try? await onThread { try PostgresTestDatabase() }
    }
    /// The server that speaks S3's protocol.
    fileprivate static let objects: Task<Void, Never> = Task {
        _ = try? await onThread { try ObjectServer.shared }
    }
    fileprivate static let nothing: Task<Void, Never> = Task {}
}

extension Trait where Self == MayBlock {
    /// The tests open databases, of SQLite and of PostgreSQL.
    static var usesDrivers: MayBlock { MayBlock(isReady: MayBlock.postgres) }
    /// The tests open databases of SQLite.
    static var usesFiles: MayBlock { MayBlock(isReady: MayBlock.nothing) }
    /// The tests store files, in folders and in an object store.
    static var usesObjectStore: MayBlock { MayBlock(isReady: MayBlock.objects) }
}
