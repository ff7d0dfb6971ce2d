import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

/// Tokens that the headers of `uploadOperations` carry: each is good for the parts of one picture,
/// for an hour, and for nothing else.
///
/// Programs hand these headers to whatever sends files for them. The key's own token would let that
/// do anything.
struct UploadTokens: Sendable {
    /// How long parts can be sent, seconds.
    static let lifetime: TimeInterval = 3600

    /// Every kind of sealed statement has keys of its own, so that none passes for another.
    private struct Statement: Codable {
        let pictureUpload: String
        /// Whose picture it is; nil for whoever acts for all teams.
        let team: Int64?
        /// Seconds since 1970.
        let until: Int64
    }

    let seals: SealedTokens

    /// A token for whoever may change products.
    func token(for asset: AssetID, by actor: ConnectActor, at now: Date) throws -> String {
        seals.seal(
            try WireCoding.encode(
                Statement(
                    pictureUpload: asset.text, team: actor.team,
                    until: Int64(
                        clamping: now.addingTimeInterval(Self.lifetime).timeIntervalSince1970))))
    }

    /// Who a request is by that carries such a token; nil where it carries another kind of token.
    ///
    /// - Throws: `JSONAPIErrors` with 401 where the token is not good for the picture.
    func actor(of request: HTTPRequest, at now: Date) throws -> ConnectActor? {
        guard let text = CallerGate.bearerToken(of: request),
            text.split(scalar: ".", omittingEmptySubsequences: false).count == 2
        else { return nil }
        guard let data = try? seals.open(text),
            let statement = try? WireCoding.decode(Statement.self, from: data),
            statement.pictureUpload == request.parameters.first,
            now.timeIntervalSince1970 < Double(statement.until)
        else {
            throw JSONAPIErrors.unauthorized(
                "The token is for another upload, or has expired; read uploadOperations again.")
        }
        return ConnectActor(
            kind: .nobody, team: statement.team,
            roles: [statement.team == nil ? .operator : .appManager])
    }
}
