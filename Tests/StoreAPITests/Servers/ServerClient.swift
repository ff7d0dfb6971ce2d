import Foundation
@testable import StoreAPI
@testable import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// A publisher's server that asks the App Store Server API, as Apple's library does.
struct ServerClient: Sendable {
    let shop: TestStore
    let clock: SettableClock
    private let transport: @Sendable (HTTPRequest) async throws -> HTTPResponse
    var environment: StoreEnvironment = .sandbox
    var key: APIKey
    var signer: SigningKey
    var bundleID: String? = SampleShop.bundleID.text
    /// Changes the claims of each token before it is signed.
    var spoil: @Sendable (inout APIToken.Claims) -> Void = { _ in }
    /// Takes the place of the token.
    var token: String?? = nil

    /// - Parameters:
    ///   - team: by name; nil for a key of the operator.
    ///   - change: changes what the routes are made from.
    init(
        _ shop: TestStore, clock: SettableClock, altitude: Altitude = .router,
        role: ConnectRole = .appManager, team: String? = "Publisher",
        change: (inout APIServices) -> Void = { _ in }
    ) async throws {
        self.shop = shop
        self.clock = clock
        switch altitude {
        case .router:
            var services = shop.store.services
            change(&services)
            let router = try StoreRoutes(services: services).router()
            transport = { try await router.response(to: $0) }
        case .socket:
            let client = LoopbackClient(port: shop.server.port)
            transport = { try await client.send($0) }
        }
        let id = try await shop.store.database.write { repositories in
            try team.map {
                try repositories.catalog.save(TeamDraft(name: $0, hasPaidAgreement: true)).id
            }
        }
        (key, signer) = try await shop.store.addAPIKey(role, of: id)
    }

    /// As Apple's library makes it: five minutes, and nothing about when it begins.
    func makeToken() throws -> String? {
        if let token { return token }
        var claims = APIToken.Claims(
            issuer: key.issuer.text, issued: nil, expiration: clock.now().addingTimeInterval(300),
            audiences: [APITokenRules.audience], bundleID: bundleID)
        spoil(&claims)
        return try APIToken.sign(claims, keyID: key.id.text, key: signer)
    }

    func send(
        _ method: String, _ path: String, _ body: Data = Data(),
        query: [(name: String, value: String)] = [], headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method, path: environment.pathPrefix + "/inApps" + path, query: query,
            headers: headers, body: body)
        request.headers["Authorization"] = try makeToken().map { "Bearer \($0)" }
        return try await transport(request)
    }

    /// The answer of a request that is done as it was asked for.
    func call<Answer: Decodable>(
        _ method: String, _ path: String, _ body: JSONValue? = nil,
        query: [(name: String, value: String)] = [], as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        let response = try await send(method, path, Self.data(body), query: query)
        guard response.status == 200 else { throw try response.serverError() }
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers["Cache-Control"] == "no-store")
        return try WireCoding.decode(Answer.self, from: response.data)
    }

    func get<Answer: Decodable>(
        _ path: String, query: [(name: String, value: String)] = [],
        as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        try await call("GET", path, query: query)
    }

    /// The number of the error that a request is answered with; that of the success where it is
    /// none.
    func refusal(
        _ method: String, _ path: String, _ body: JSONValue? = nil,
        query: [(name: String, value: String)] = []
    ) async throws -> Int {
        let response = try await send(method, path, Self.data(body), query: query)
        return response.status < 300 ? response.status : try response.serverError().code.rawValue
    }

    static func data(_ body: JSONValue?) -> Data {
        body?.encoded() ?? Data()
    }

    // MARK: Signed statements

    func transaction(_ jws: String) throws -> TransactionPayload {
        try payload(jws) { $0.signedDate }
    }

    func renewal(_ jws: String) throws -> RenewalPayload {
        try payload(jws) { $0.signedDate }
    }

    func appTransaction(_ jws: String) throws -> AppTransactionPayload {
        try payload(jws) { $0.receiptCreationDate }
    }

    /// What a statement says, once its signature leads to the store's root.
    private func payload<Payload: Decodable>(
        _ jws: String, _ date: (Payload) -> Int64
    ) throws -> Payload {
        let data = try JWSVerifier(root: shop.store.keys.root).verify(jws) {
            Date(milliseconds: date(try WireCoding.decode(Payload.self, from: $0)))
        }
        return try WireCoding.decode(Payload.self, from: data)
    }
}

extension HTTPResponse {
    /// The error in the body, in the form that Apple's clients ask for.
    func serverError() throws -> ServerAPIError {
        #expect(headers["Content-Type"] == "application/json")
        let body = try JSONValue(reading: data)
        let members = try #require(body.members)
        #expect(members.keys.sorted() == ["errorCode", "errorMessage"])
        let code = try #require(members["errorCode"]?.integer)
        #expect(code / 10_000 == status)
        #expect(members["errorMessage"]?.text?.isEmpty == false)
        return try WireCoding.decode(ServerAPIError.self, from: data)
    }
}
