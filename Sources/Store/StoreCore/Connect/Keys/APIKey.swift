import Foundation
import StoreDatabase
import StoreModel

/// The identifier of an API key: ten capital letters and digits, as in `AuthKey_2X9R4HXF34.p8`.
package struct APIKeyID: TextIdentifier, TextColumnValue {
    package static let name = "API key identifier"
    package let text: String

    package init?(_ text: String) {
        let isWellFormed = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        guard text.utf8.count == Self.length, isWellFormed else { return nil }
        self.text = text
    }

    /// A new identifier.
    ///
    /// - Parameter bytes: makes as many random bytes as it is asked for.
    package init(random bytes: (Int) throws -> Data) rethrows {
        text = LegibleCode.text(of: try bytes(Self.length))
    }

    private static let length = 10

    /// How the file of a private key is named, as App Store Connect's tools look for it.
    package var fileName: String { "\(Self.filePrefix)\(self)\(Self.fileSuffix)" }

    /// What that name begins with.
    package static let filePrefix = "AuthKey_"
    /// What it ends in.
    package static let fileSuffix = ".p8"

    /// Whether a file is named as one of a private key.
    package static func isFileName(_ name: String) -> Bool {
        name.hasPrefix(scalars: filePrefix) && name.hasSuffix(scalars: fileSuffix)
    }
}

/// Who issues keys: a team, or the operator. A UUID in small letters.
package struct IssuerID: TextIdentifier, TextColumnValue {
    package static let name = "issuer identifier"
    package let text: String

    package init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.init(uuid)
    }

    package init(_ uuid: UUID) {
        text = uuid.uuidString.lowercased()
    }
}

/// A key of the API. The store knows its public half only.
package struct APIKey: Sendable, Hashable {
    package let id: APIKeyID
    package let issuer: IssuerID
    /// The team that it acts for; nil for the operator, who acts for all.
    package let team: Int64?
    package let role: ConnectRole
    package let name: String
    /// PEM.
    package let publicKey: String
    package let created: Date
    package let revoked: Date?
    /// When it was last used, to the hour; nil for never.
    package let lastUse: Date?

    /// Who acts with the key. The operator's keys may do what the operator may, unless they
    /// are made for reviewing only.
    package var actor: ConnectActor {
        ConnectActor(
            kind: .key(id), team: team,
            roles: team == nil && role == .admin ? [.operator] : [role])
    }
}

/// With the team of its issuer.
extension APIKey: Record {
    package static let table: StaticString = "api_key"
    package static let source: StaticString =
        "(SELECT k.*, i.team FROM api_key k JOIN api_issuer i ON i.id = k.issuer) api_keys"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        issuer = try column("issuer", \.issuer, .immutable)
        team = try column("team", \.team, .joined)
        role = try column("role", \.role, .immutable)
        name = try column("name", \.name, .immutable)
        publicKey = try column("public_key", \.publicKey, .immutable)
        created = try column("created", \.created, .immutable)
        revoked = try column("revoked", \.revoked)
        lastUse = try column("last_used", \.lastUse)
    }
}

/// A key to be added.
package struct APIKeyDraft: Sendable, Hashable {
    package var id: APIKeyID
    package var team: Int64?
    package var role: ConnectRole
    package var name: String
    package var publicKey: String

    package init(id: APIKeyID, team: Int64?, role: ConnectRole, name: String, publicKey: String) {
        self.id = id
        self.team = team
        self.role = role
        self.name = name
        self.publicKey = publicKey
    }
}

/// A pair of keys that was made, with what names it.
package struct APIKeyPair: Sendable {
    package let id: APIKeyID
    /// The issuer of the first key of a team.
    package let issuer: IssuerID
    /// PEM, PKCS #8.
    package let privateKey: String
    package let publicKey: String

    package init(id: APIKeyID, issuer: IssuerID, privateKey: String, publicKey: String) {
        self.id = id
        self.issuer = issuer
        self.privateKey = privateKey
        self.publicKey = publicKey
    }
}

/// A key that was made, with its private half: this is the one time that it can be shown.
package struct IssuedAPIKey: Sendable {
    package let key: APIKey
    /// PEM, PKCS #8.
    package let privateKey: String
}
