import StoreCore
import StoreServer
import StoreTestSupport
import Testing

/// What pages say where a change was written, or was not.
@Suite struct UncertainWriteTests {
    private struct Failure: StoreFailure {
        let isUncertain: Bool
        var remedy: FailureRemedy? { .repeating }
        var isOfRows: Bool { false }
    }

    /// A database that fails behind each of its commits.
    private struct FailingDatabase: StoreDatabase {
        let inner: any StoreDatabase
        let isUncertain: Bool

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
            _ = try await inner.write(body)
            throw Failure(isUncertain: isUncertain)
        }

        func catalogGeneration() async throws -> Int64 { try await inner.catalogGeneration() }
        func knownCatalogGeneration() -> Int64? { inner.knownCatalogGeneration() }
        func storefrontGeneration() async throws -> Int64 {
            try await inner.storefrontGeneration()
        }
        func knownStorefrontGeneration() -> Int64? { inner.knownStorefrontGeneration() }
        func changes() throws -> Int64 { try inner.changes() }
        func lastEvent() async throws -> DeviceEventID { try await inner.lastEvent() }
    }

    @Test(arguments: [true, false])
    func `a page says that nothing was changed only where that is known`(
        isUncertain: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try await openStore(in: folder)
        let team = try await store.database.write {
            try $0.catalog.save(TeamDraft(name: "Publisher", hasPaidAgreement: true))
        }
        let portal = PortalClient(
            store, roles: [.admin], team: ConnectVisitor.Team(id: team.id, name: team.name),
            database: FailingDatabase(inner: store.database, isUncertain: isUncertain))
        let answer = try await portal.send(
            try await portal.open("/connect/identifiers/new"), to: "/connect/identifiers",
            ["name": "Shop", "identifier": "com.example.shop", "platform": "UNIVERSAL"])
        #expect(answer.status == 503)
        #expect(answer.words.contains("nothing was changed") == !isUncertain)
        #expect(answer.words.contains("may have taken effect, or may not") == isUncertain)
        #expect(answer.words.contains("Look before you try again") == isUncertain)
    }
}
