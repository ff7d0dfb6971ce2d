import Foundation
import StoreCore
import StoreSecurity
import StoreServer

/// The key that a publisher's program signs its requests with, and who issued it.
struct UploadKey: Sendable {
    private let id: APIKeyID
    private let key: SigningKey
    private let issuer: IssuerID

    /// Options by which the key is named.
    static let options: [CommandSpec.Option] = [
        .value(
            "key", "AuthKey_ID.p8",
            "The API key; $OPENSTORE_API_KEY, or one in the store's folder unless given."),
        .value(
            "issuer", "UUID",
            "Who issued the key; $OPENSTORE_API_ISSUER, or as the store's folder says."),
    ]

    /// Finds the key: named on the command line, in the environment, or in the folder of a
    /// store on this machine.
    static func find(_ arguments: ParsedArguments) async throws -> UploadKey {
        let environment = ProcessInfo.processInfo.environment
        let path = arguments["key"] ?? environment["OPENSTORE_API_KEY"]
        let issuer = try (arguments["issuer"] ?? environment["OPENSTORE_API_ISSUER"]).map { text in
            guard let issuer = IssuerID(text) else {
                throw UsageError(description: "--issuer: \"\(text)\" is not a UUID")
            }
            return issuer
        }
        let file = try path.map { try APIKeyFile(ParsedArguments.url($0)) }
        if let file, let issuer { return UploadKey(id: file.id, key: file.key, issuer: issuer) }
        // A store in the usual place is not made by asking for it.
        let database = StoreOpening.directory(arguments).appendingPathComponent("store.sqlite")
        let isElsewhere = try StoreOpening.databaseAddress(arguments) != nil
        guard isElsewhere || FileManager.default.fileExists(atPath: database.path) else {
            throw UsageError(
                description: file == nil
                    ? "--key is missing: name the API key, or the store's folder with --data"
                    : "--issuer is missing: name the issuer of the key, or the store's folder with "
                        + "--data")
        }
        return try await StoreOpening.with(arguments) { store in
            if let file {
                guard let known = try await store.services.apiKeys.key(file.id) else {
                    throw UsageError(
                        description: "--issuer is missing, and the store in "
                            + "\(store.directory.path) does not know the key \(file.id)")
                }
                return UploadKey(id: file.id, key: file.key, issuer: known.issuer)
            }
            guard let (known, file) = try await store.localAPIKey() else {
                throw UsageError(
                    description: "the store in \(store.directory.path) has no key of its own; "
                        + "make one with openstore api-key create, and name it with --key")
            }
            return UploadKey(id: known.id, key: file.key, issuer: issuer ?? known.issuer)
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
