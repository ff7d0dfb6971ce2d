import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Two teams with the services of Connect over one database.
struct ConnectFixture: Sendable {
    let database: OpenedDatabase
    let clock = SettableClock()
    let team: Int64
    let otherTeam: Int64

    init(_ driver: StoreDriver) async throws {
        database = try driver.install().open()
        (team, otherTeam) = try await database.write { repositories in
            (
                try repositories.catalog.save(
                    TeamDraft(name: "Example", hasPaidAgreement: true)
                ).id,
                try repositories.catalog.save(TeamDraft(name: "Other", hasPaidAgreement: true)).id
            )
        }
    }

    var identifiers: BundleIdentifierService {
        BundleIdentifierService(database: database, clock: clock)
    }
    var apps: AppService { AppService(database: database, clock: clock) }
    var versions: AppVersionService { AppVersionService(database: database, clock: clock) }
    var profiles: ProfileService {
        ProfileService(database: database, clock: clock, signer: ReadableSigner())
    }

    /// Somebody of the first team.
    func member(_ roles: ConnectRole...) -> ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 1), email: "ada@example.com"), team: team,
            roles: Set(roles))
    }

    var admin: ConnectActor { member(.admin) }
    var stranger: ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 2), email: "eve@example.com"), team: otherTeam,
            roles: [.admin])
    }

    func register(
        _ identifier: String, _ platform: BundleIdentifierPlatform = .universal
    ) async throws -> BundleIdentifier {
        try await identifiers.register(
            BundleIdentifierDraft(identifier: identifier, name: "Name", platform: platform),
            by: admin)
    }

    func app(_ bundleID: String = "com.example.shop", sku: String = "SHOP") async throws
        -> AppRecord
    {
        let identifier = try await register(bundleID)
        return try await apps.create(
            AppCreation(
                identifier: identifier.id, sku: sku, name: "Shop", primaryLocale: "en-US"),
            by: admin)
    }

    /// A version that no submission was made for, with a build, of an app with all that it needs
    /// to go on sale.
    func version(
        _ number: String, of app: AppRecord, _ change: AppVersionChange = AppVersionChange()
    ) async throws -> AppVersion {
        let version = try await versions.create(
            number, id: .fresh(), of: app.app.id, platform: .linux, change, by: admin)
        _ = try await versions.addBuild(
            "1", id: .fresh(), to: version.id, digest: String(repeating: "a", count: 64),
            size: 100, by: admin)
        try await database.write { try $0.completeApp(app.app.id) }
        return try await versions.version(version.id, by: admin).version
    }

    /// Lets a version take a step of review.
    func take(
        _ id: AppVersionID,
        _ step: @escaping @Sendable (inout VersionInProgress) throws -> Void
    ) async throws {
        try await Shop(database: database, clock: clock).write(as: admin) { work in
            var subject = try work.version(id)
            try step(&subject)
        }
    }

    /// Puts a version on sale.
    func sell(_ id: AppVersionID) async throws {
        try await take(id) { try $0.submit() }
        try await take(id) { try $0.beginReview() }
        try await take(id) { try $0.approve() }
    }

    /// Everything that the audit log says, oldest first.
    func log() async throws -> [AuditEntry] {
        try await database.read { try $0.audit.entries(team: nil, before: nil, limit: 1000) }
            .reversed().map(\.entry)
    }
}

extension AppVersionID {
    static func fresh() -> AppVersionID { AppVersionID(UUID().uuidString)! }
}

extension AppBuildID {
    static func fresh() -> AppBuildID { AppBuildID(UUID().uuidString)! }
}

/// Writes down what it was asked to sign.
struct ReadableSigner: ProfileSigner {
    func sign(_ content: ProfileContent) throws -> String { "\(content)" }
}

/// Asserts that something is refused by a rule, and that nothing changed.
func expectRefusal(
    _ rule: String, in fixture: ConnectFixture, sourceLocation: SourceLocation = #_sourceLocation,
    _ step: () async throws -> Void
) async throws {
    let before = (try await fixture.log().count, try await fixture.database.catalogGeneration())
    var refusal: ConnectRefusal?
    do {
        try await step()
        Issue.record("not refused: \(rule)", sourceLocation: sourceLocation)
    } catch let error as ConnectRefusal {
        refusal = error
    }
    #expect(refusal?.rule == rule, sourceLocation: sourceLocation)
    #expect(refusal?.help.isEmpty == false, sourceLocation: sourceLocation)
    let after = (try await fixture.log().count, try await fixture.database.catalogGeneration())
    #expect(before == after, sourceLocation: sourceLocation)
}
