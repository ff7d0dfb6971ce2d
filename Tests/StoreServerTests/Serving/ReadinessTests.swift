import Foundation
import StoreCore
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

@Suite(.timeLimit(.minutes(2))) struct ReadinessTests {
    @Test func `a store that works says so, check by check`() async throws {
        let store = try ListeningStore()
        let answer = try await store.get("/readyz")
        #expect(answer.status == 200)
        #expect(
            answer.text
                == #"{"status":"ok","checks":{"databaseRead":"ok","databaseWrite":"ok","content":"#
                + #""ok","serving":"ok"}}"#)
        #expect(try await store.get("/livez").text == #"{"status":"ok"}"#)
    }

    @Test func `a store whose content is gone is alive and not ready`() async throws {
        let store = try ListeningStore()
        try FileManager.default.removeItem(at: store.folder.file("store/content"))
        let answer = try await store.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.text.contains(#""databaseWrite":"ok","content":"failed","serving":"ok""#))
        #expect(try await store.get("/livez").status == 200)
    }

    @Test func `a store that is about to stop is not ready`() async throws {
        let store = try ListeningStore()
        #expect(try await store.get("/readyz").status == 200)
        store.server.announceStop()
        let answer = try await store.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.text.contains(#""serving":"failed""#))
        #expect(try await store.get("/healthz").status == 200)
    }

    @Test func `a write that does not come back fails the check, and is not begun again`()
        async throws
    {
        let opened = try OpenedStore()
        let database = StuckDatabase(opened.store.database)
        let store = try Store(
            directory: opened.folder.file("other"), database: database, log: .silent)
        let readiness = Readiness(store: store, patience: .milliseconds(50))
        for _ in 1...2 {
            let report = await readiness.look()
            #expect(report[.databaseRead] == true)
            #expect(report[.databaseWrite] == false)
            #expect(report[.content] == true)
        }
        #expect(database.writes.withLock { $0 } == 1)
        await database.gate.open()
        // The stuck one has to come to its end first.
        while await readiness.look()[.databaseWrite] != true { await Task.yield() }
        #expect(await readiness.report()[.databaseWrite] == true)
    }

    @Test func `many who ask at once cost one look`() async throws {
        let opened = try OpenedStore()
        let database = StuckDatabase(opened.store.database)
        await database.gate.open()
        let store = try Store(
            directory: opened.folder.file("other"), database: database, log: .silent)
        let readiness = Readiness(store: store)
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...50 { group.addTask { _ = await readiness.report() } }
        }
        #expect(database.writes.withLock { $0 } == 1)
    }
}

/// The database of a store in which nothing is written before a gate is opened.
private final class StuckDatabase: StoreDatabase {
    actor Gate {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        func pass() async {
            guard !isOpen else { return }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    let gate = Gate()
    let writes = Mutex(0)
    private let inner: any StoreDatabase

    init(_ inner: any StoreDatabase) {
        self.inner = inner
    }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreRepositories) throws -> Result
    ) async throws -> Result {
        try await inner.read(body)
    }

    func lookUp<Result>(_ body: (any StoreRepositories) throws -> Result) throws -> Result? {
        try inner.lookUp(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreRepositories) throws -> Result
    ) async throws -> Result {
        writes.withLock { $0 += 1 }
        await gate.pass()
        return try await inner.write(body)
    }

    func catalogGeneration() async throws -> Int64 { try await inner.catalogGeneration() }
    func knownCatalogGeneration() -> Int64? { inner.knownCatalogGeneration() }
    func storefrontGeneration() async throws -> Int64 { try await inner.storefrontGeneration() }
    func knownStorefrontGeneration() -> Int64? { inner.knownStorefrontGeneration() }
    func changes() throws -> Int64 { try inner.changes() }
    func lastEvent() async throws -> DeviceEventID { try await inner.lastEvent() }
}
