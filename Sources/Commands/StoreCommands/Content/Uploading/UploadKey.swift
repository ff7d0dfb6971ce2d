import Foundation
import StoreCore
import StoreSecurity
import StoreServer

/// The key that a publisher's program signs its requests with, and who issued it.
struct UploadKey: Sendable {
    fileprivate let id: APIKeyID
    fileprivate let key: SigningKey
    fileprivate let issuer: IssuerID

    /// Options by which the key is named.
    static let options: [CommandSpec.Option] = [
        .value(
            "key", "AuthKey_ID.p8",
            "The API key; $OPENSTORE_API_KEY, or one in the store's folder unless given."
        ).asShared,
        .value(
            "issuer", "UUID",
            "Who issued the key; $OPENSTORE_API_ISSUER, or as the store's folder says."
        ).asShared,
    ]

    /// A key of the operator that lies in the folder of a store on this machine; nil where there
    /// is none.
    static func local(in folder: URL, _ arguments: ParsedArguments) async throws -> UploadKey? {
        try await StoreOpening.open(arguments, in: folder) { store in
            try await store.localAPIKey().map { known, file in
                UploadKey(id: known.id, key: file.key, issuer: known.issuer)
            }
        }
    }

    /// A fresh token, good for ten minutes.
    func token(at date: Date) throws -> String {
        try APIToken.sign(
            APIToken.Claims(
                issuer: issuer.text, issued: date, expiration: date.addingTimeInterval(600),
                audiences: [APITokenRules.audience]), keyID: id.text, key: key)
    }
}

/// A key that the command line or the environment names.
struct NamedKey: Sendable {
    /// Nil where none is named.
    let file: APIKeyFile?
    private let issuer: IssuerID?

    /// - Throws: `UsageError`, `APIKeyFileError`.
    init(_ arguments: ParsedArguments, _ environment: [String: String]) throws {
        issuer = try (arguments["issuer"] ?? environment["OPENSTORE_API_ISSUER"]).map { text in
            guard let issuer = IssuerID(text) else {
                throw UsageError(option: "issuer", "\"\(text)\" is not a UUID")
            }
            return issuer
        }
        file = try (arguments["key"] ?? environment["OPENSTORE_API_KEY"])
            .map { try APIKeyFile(ParsedArguments.url($0)) }
    }

    /// The key with its issuer, which the store in a folder knows where nobody says it.
    ///
    /// - Throws: `UsageError`.
    func complete(in folder: URL, _ arguments: ParsedArguments) async throws -> UploadKey {
        guard let file else { throw UsageError(description: "--key is missing") }
        if let issuer { return UploadKey(id: file.id, key: file.key, issuer: issuer) }
        guard StoreOpening.lack(in: folder) == nil else {
            throw UsageError(
                description:
                    "--issuer is missing: name the issuer of the key, as openstore api-key "
                    + "create has shown it, or the store's folder with --data")
        }
        return try await StoreOpening.open(arguments, in: folder) { store in
            guard let known = try await store.services.apiKeys.key(file.id) else {
                throw UsageError(
                    description: "--issuer is missing, and the store in \(folder.path) does not "
                        + "know the key \(file.id)")
            }
            return UploadKey(id: file.id, key: file.key, issuer: known.issuer)
        }
    }
}
