import Foundation
import StoreCore
import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire

/// Finds out what an order may claim of offers: whether a key of the app's team has signed for it.
///
/// The signature is checked here. Whether it is too old, or was used before, is for the rules of the
/// purchase.
final class OfferClaims: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock
    private let verifyingKeys = Cache<String, VerifyingKey>(limit: 256)

    /// No signature of a publisher is longer, in bytes.
    private static let longest = 8 << 10

    /// - Parameter clock: the store's.
    init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// - Parameter username: the application user name of the payment, which is signed too.
    func claim(
        _ wish: OfferWish?, of product: String, username: String?, by account: AccountID,
        in app: App
    ) async throws -> OfferClaim {
        guard let wish else { return OfferClaim() }
        var claim = OfferClaim(identifier: wish.identifier, received: clock.now())
        if let name = wish.identifier {
            guard let permission = wish.permission else { return claim }
            let order = Order(
                product: product, offer: name, username: username ?? "", account: account, app: app)
            claim.permission =
                if let jws = permission.jws {
                    try await statement(jws, for: order, audience: "promotional-offer")?.permission
                        ?? .wrong
                } else {
                    try await signed(permission, for: order) ?? .wrong
                }
        } else if let jws = wish.introductoryEligibility {
            let order = Order(
                product: product, offer: nil, username: "", account: account, app: app)
            let found = try await statement(
                jws, for: order, audience: "introductory-offer-eligibility")
            claim.permission = found?.permission ?? .wrong
            claim.allowsIntroductory = found?.payload.allowIntroductoryOffer ?? false
        }
        return claim
    }

    /// What is to be signed for.
    private struct Order {
        let product: String
        let offer: String?
        let username: String
        let account: AccountID
        let app: App
    }

    // MARK: Statements

    /// What a JWS of a publisher's server says.
    private struct Payload: Decodable {
        var bid: String
        var iss: String
        var aud: String
        var iat: Double
        var nonce: UUID
        var productId: String
        var offerIdentifier: String?
        var allowIntroductoryOffer: Bool?
        var transactionId: String?
    }

    private struct Statement {
        let payload: Payload
        let permission: OfferClaim.Permission
    }

    /// - Returns: nil if no key of the team has signed for this order.
    private func statement(
        _ jws: String, for order: Order, audience: String
    ) async throws -> Statement? {
        guard jws.utf8.count <= Self.longest, let parts = JWSParts(jws),
            let headerData = parts.header, let payloadData = parts.payload,
            let signature = parts.signature,
            let keyIdentifier = (try? JWSHeader(headerData, of: "offer"))?.kid,
            let payload = try? JSONDecoder().decode(Payload.self, from: payloadData),
            payload.aud == audience, payload.bid == order.app.bundleID.text,
            payload.productId == order.product, payload.offerIdentifier == order.offer,
            (0...1e11).contains(payload.iat),
            let (key, issuer) = try await key(keyIdentifier, of: order.app),
            issuer == nil || IssuerID(payload.iss) == issuer,
            (try? key.check(signature, of: parts.signedBytes)) != nil
        else { return nil }
        if let transaction = payload.transactionId {
            guard try await belongs(transaction, to: order) else { return nil }
        } else if order.offer == nil {
            // It would be good for every customer.
            return nil
        }
        return Statement(
            payload: payload,
            permission: .signed(
                nonce: payload.nonce, date: Date(timeIntervalSince1970: payload.iat)))
    }

    /// Whether a transaction, or an app transaction, is the customer's.
    private func belongs(_ text: String, to order: Order) async throws -> Bool {
        guard let id = TransactionID(text) else { return false }
        return try await database.read { repositories in
            if let entry = try repositories.ledger.entry(id) {
                return entry.details.account == order.account && entry.details.app == order.app.id
            }
            let found = try repositories.transactions.appTransaction(
                of: order.account, app: order.app.id)
            return found?.id.number == id.number
        }
    }

    // MARK: Fields

    /// - Returns: nil if no key of the team has signed for this order.
    private func signed(
        _ permission: OfferPermission, for order: Order
    ) async throws -> OfferClaim.Permission? {
        guard let keyIdentifier = permission.keyIdentifier,
            let nonce = permission.nonce.flatMap(UUID.init(uuidString:)),
            let timestamp = permission.timestamp, (0...100_000_000_000_000).contains(timestamp),
            let text = permission.signature, text.utf8.count <= Self.longest,
            let signature = Data(base64Encoded: text),
            let (key, _) = try await key(keyIdentifier, of: order.app)
        else { return nil }
        // The account token is signed in small letters, a name of the app's own as it is.
        let isSigned = Set([order.username, order.username.lowercased()]).contains { username in
            let fields = [
                order.app.bundleID.text, keyIdentifier, order.product, order.offer ?? "", username,
                nonce.uuidString.lowercased(), String(timestamp),
            ]
            let message = Data(fields.joined(separator: "\u{2063}").utf8)
            return (try? key.check(der: signature, of: message)) != nil
        }
        return isSigned ? .signed(nonce: nonce, date: Date(milliseconds: timestamp)) : nil
    }

    // MARK: Keys

    /// A key that may sign for the offers of an app, with its issuer: one of the team's or the operator's, or one that
    /// a test's store was given, which nobody issues.
    private func key(
        _ identifier: String, of app: App
    ) async throws -> (VerifyingKey, IssuerID?)? {
        let found: (pem: String, issuer: IssuerID?)? = try await database.read { repositories in
            if let pem = repositories.sandbox.offerKeys[identifier] { return (pem, nil) }
            guard let id = APIKeyID(identifier), let key = try repositories.apiKeys.find(id),
                key.team == nil || key.team == app.teamID, key.revoked == nil,
                key.actor.allows(.managePrices)
            else { return nil }
            return (key.publicKey, key.issuer)
        }
        guard let found else { return nil }
        let key = try? verifyingKeys.value(for: found.pem) { try VerifyingKey(pem: found.pem) }
        return key.map { ($0, found.issuer) }
    }
}
