import Foundation
import StoreCore
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

struct ReadinessTests {
    /// Asks until a check has been in time: a store gives each five seconds, in which a busy machine
    /// may not come to it.
    private func readiness(
        of store: ListeningStore, showing check: String
    ) async throws -> HTTPResponse {
        var answer = HTTPResponse(status: 0)
        try await until {
            answer = try await store.get("/readyz")
            return answer.text.contains(check)
        }
        return answer
    }

    @Test func `a store that works says so, check by check`() async throws {
        let store = try await ListeningStore()
        let answer = try await readiness(of: store, showing: #""status":"ok""#)
        #expect(answer.status == 200)
        #expect(
            answer.text
                == #"{"status":"ok","checks":{"databaseRead":"ok","databaseWrite":"ok","content":"#
                + #""ok","serving":"ok"}}"#)
        #expect(try await store.get("/livez").text == #"{"status":"ok"}"#)
    }

    @Test func `a store whose content is gone is alive and not ready`() async throws {
        let store = try await ListeningStore()
        try FileManager.default.removeItem(at: store.folder.file("store/content"))
        let answer = try await readiness(of: store, showing: #""databaseWrite":"ok""#)
        #expect(answer.status == 503)
        #expect(answer.text.contains(#""databaseWrite":"ok","content":"failed","serving":"ok""#))
        #expect(try await store.get("/livez").status == 200)
    }

    @Test func `a store that is about to stop is not ready`() async throws {
        let store = try await ListeningStore()
        #expect(try await readiness(of: store, showing: #""status":"ok""#).status == 200)
        store.server.announceStop()
        let answer = try await store.get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.text.contains(#""serving":"failed""#))
        #expect(try await store.get("/healthz").status == 200)
    }

    @Test func `a write that does not come back fails the check, and is not begun again`()
        async throws
    {
        let opened = try await OpenedStore()
        let database = StuckDatabase(opened.store.database)
        let store = try await Self.store(over: database, beside: opened)
        let readiness = Readiness(store: store, patience: .milliseconds(50))
        for _ in 1...2 {
            // The others are done in time sooner or later, the stuck one is never.
            try await until {
                let report = await readiness.look()
                #expect(report[.databaseWrite] == false)
                return report[.databaseRead] == true && report[.content] == true
            }
        }
        #expect(database.writes.withLock { $0 } == 1)
        await database.gate.open()
        // The stuck one has to come to its end first.
        try await until { await readiness.look()[.databaseWrite] == true }
        try await until { await readiness.report()[.databaseWrite] == true }
    }

    private static func store(
        over database: StuckDatabase, beside opened: OpenedStore
    ) async throws -> Store {
        let directory = opened.folder.file("other")
        try await PreparedKeys.install(into: directory, clock: SystemClock())
        return try Store(
            directory: directory, database: database, vault: OpenSSLVault.forTests, log: .silent)
    }

    @Test func `many who ask at once cost one look`() async throws {
        let opened = try await OpenedStore()
        let database = StuckDatabase(opened.store.database)
        await database.gate.open()
        let store = try await Self.store(over: database, beside: opened)
        let readiness = Readiness(store: store)
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...50 { group.addTask { _ = await readiness.report() } }
        }
        // A look is good for a second: on a busy machine the last who ask may come later.
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let looks = database.writes.withLock { $0 }
        #expect(looks >= 1 && looks <= 1 + Int(seconds))
    }
}

/// The database of a store in which nothing is written before a gate is opened.
private final class StuckDatabase: ForwardingDatabase {
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
    let inner: any ShopDatabase

    init(_ inner: any ShopDatabase) {
        self.inner = inner
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (StoreRepositories) throws -> Result
    ) async throws -> Result {
        writes.withLock { $0 += 1 }
        await gate.pass()
        return try await inner.write(body)
    }
}
