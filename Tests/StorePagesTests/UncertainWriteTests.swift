@testable import StoreCore
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
    private struct FailingDatabase: ForwardingDatabase {
        let inner: any ShopDatabase
        let isUncertain: Bool

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (StoreRepositories) throws -> Result
        ) async throws -> Result {
            _ = try await inner.write(body)
            throw Failure(isUncertain: isUncertain)
        }
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
