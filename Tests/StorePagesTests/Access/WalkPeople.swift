import Foundation
@testable import StoreCore
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import Testing

/// How a caller comes to the API.
enum WalkCaller: Sendable, Hashable, CustomStringConvertible {
    /// With a key of the team or of the staff; the Account Holder, who has none, with the
    /// session of a person.
    case role(ConnectRole)
    /// With a key of another team's Admin.
    case stranger
    case nobody
    case garbage
    /// With a token of a key that has expired.
    case expiredToken
    /// With a session that has ended because nobody used it.
    case endedSession

    var description: String {
        switch self {
        case .role(let role): role.rawValue
        case .stranger: "another team"
        case .nobody: "nobody"
        case .garbage: "garbage"
        case .expiredToken: "an expired token"
        case .endedSession: "a session that has ended"
        }
    }
}

/// Who uses the store of a walk: a person with a session in each role, a key in each role
/// that keys may have, and another team with both.
struct WalkPeople: Sendable {
    let team: Int64
    let otherTeam: Int64
    /// The tokens of sessions.
    private(set) var sessions: [ConnectRole: String] = [:]
    private(set) var persons: [ConnectRole: PersonID] = [:]
    /// The session of the other team's Account Holder.
    let strangerSession: String
    private let strangerKey: Key
    private var keys: [ConnectRole: Key] = [:]

    private struct Key: Sendable {
        let key: APIKey
        let signer: SigningKey
    }

    init(_ store: Store) async throws {
        team = try await store.database.read { try $0.sampleApp().teamID }
        otherTeam = try await store.database.write {
            try $0.catalog.save(TeamDraft(name: "Stranger", hasPaidAgreement: true)).id
        }
        strangerKey = try await Self.key(.admin, of: otherTeam, store)
        strangerSession = try await Self.person(
            "stranger", role: .accountHolder, of: otherTeam, store
        ).token
        for role in ConnectRole.allCases {
            let made = try await Self.person(role.rawValue, role: role, of: team, store)
            (sessions[role], persons[role]) = (made.token, made.id)
            guard role != .accountHolder else { continue }
            keys[role] = try await Self.key(role, of: role.isStaff ? nil : team, store)
        }
    }

    /// Makes somebody, who is signed in.
    static func person(
        _ name: String, role: ConnectRole, of team: Int64, _ store: Store
    ) async throws -> (id: PersonID, token: String) {
        let now = store.clock.now()
        let person = try await store.database.write { repositories in
            let draft = PersonDraft(
                email: "\(name.lowercased())@example.com", name: name, passwordHash: "none",
                staffRole: role.isStaff ? role : nil)
            let person = try repositories.people.insert(draft, at: now)
            if !role.isStaff {
                try repositories.people.set([role], of: person.id, in: team, at: now)
            }
            return person
        }
        let started = try await store.services.people.sessions.start(
            person, kind: .browser, client: "walk")
        return (person.id, started.token)
    }

    private static func key(
        _ role: ConnectRole, of team: Int64?, _ store: Store
    ) async throws -> Key {
        let (key, signer) = try await store.addAPIKey(role, of: team)
        return Key(key: key, signer: signer)
    }

    // MARK: What callers send

    /// The bearer token that a caller sends at a time; nil for none.
    func token(of caller: WalkCaller, at now: Date) throws -> String? {
        switch caller {
        case .role(let role):
            try keys[role].map { try Self.sign($0, at: now) } ?? sessions[role]
        case .stranger: try Self.sign(strangerKey, at: now)
        case .nobody: nil
        case .garbage: "garbage.garbage.garbage"
        case .expiredToken:
            try keys[.admin].map { try Self.sign($0, at: now.addingTimeInterval(-3600)) }
        case .endedSession: sessions[.accountHolder]
        }
    }

    private static func sign(_ key: Key, at issued: Date) throws -> String {
        try APIToken.sign(
            APIToken.Claims(
                issuer: key.key.issuer.text, issued: issued,
                expiration: issued.addingTimeInterval(600), audiences: [APITokenRules.audience]),
            keyID: key.key.id.text, key: key.signer)
    }
}
