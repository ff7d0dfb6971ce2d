import Foundation
@testable import StoreHTTP
import StoreAPI
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// How a test's requests reach the routes.
enum Altitude: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case router
    case socket

    var testDescription: String { rawValue }
}

/// A device with the sample shop's app: what it sends with each request.
struct APIClient: Sendable {
    let shop: TestStore
    private let transport: @Sendable (HTTPRequest) async throws -> HTTPResponse
    var environment: StoreEnvironment
    var profile: String?
    var token: String?
    var device: String? = "device-1"

    /// A device that nobody is signed in on.
    /// What profiles say where no server listens, as the routes are asked themselves.
    static let address = "http://127.0.0.1:1"

    init(
        _ shop: TestStore, altitude: Altitude = .router, environment: StoreEnvironment = .sandbox
    ) async throws {
        self.shop = shop
        self.environment = environment
        switch altitude {
        case .router:
            let router = try StoreRoutes(services: shop.store.services).router()
            transport = { try await router.response(to: $0) }
        case .socket:
            let client = LoopbackClient(port: shop.server.port)
            transport = { try await client.send($0) }
        }
        profile = try await shop.profile(
            environment: environment, address: altitude == .router ? Self.address : nil)
    }

    /// A device on which one of the testers is signed in.
    static func signedIn(
        _ shop: TestStore, altitude: Altitude = .router, environment: StoreEnvironment = .sandbox,
        as email: String = TestStore.american
    ) async throws -> APIClient {
        var client = try await APIClient(shop, altitude: altitude, environment: environment)
        try await client.signIn(email)
        return client
    }

    mutating func signIn(_ email: String) async throws {
        token = nil
        let session: SessionAnswer = try await post(
            DeviceRoute.session, SignInRequest(email: email, password: TestStore.password))
        token = session.token
    }

    /// Sends a request below the environment's base URL.
    func send(
        _ method: String, _ path: String, _ body: Data = Data(), headers: HTTPHeaders = [:],
        query: [(name: String, value: String)] = []
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method, path: environment.pathPrefix + path, query: query, headers: headers,
            body: body)
        request.headers[DeviceRoute.profileHeader] = profile
        request.headers[DeviceRoute.deviceHeader] = device
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
        return try await transport(request)
    }

    /// Sends JSON and reads the JSON of a success.
    func post<Answer: Decodable>(
        _ path: String, _ body: some Encodable, as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        let response = try await send("POST", path, WireCoding.encode(body))
        guard response.status == 200 else { throw try response.failure() }
        #expect(response.headers["Content-Type"] == "application/json")
        let policy = response.headers["Cache-Control"] ?? ""
        #expect(
            path == DeviceRoute.products
                ? policy.hasPrefix("private, max-age=") : policy == "no-store")
        return try WireCoding.decode(Answer.self, from: response.data)
    }

    /// Sends a request that is refused.
    func refusal(
        _ method: String, _ path: String, _ body: Data = Data()
    ) async throws -> Refusal {
        let response = try await send(method, path, body)
        return Refusal(status: response.status, error: try response.failure())
    }

    func refusal(_ path: String, _ body: some Encodable) async throws -> Refusal {
        try await refusal("POST", path, WireCoding.encode(body))
    }
}

/// Status and body of an answer that is no success.
struct Refusal: Equatable {
    let status: Int
    let error: WireError

    /// The two that programs go by.
    var name: String { "\(status) \(error.code.rawValue)" }
}

extension HTTPResponse {
    /// The error in the body, with nothing else beside it.
    func failure() throws -> WireError {
        let keys = try JSONDecoder().decode([String: JSONValue].self, from: data).keys
        let more: Set<String> = ["reason", "request", "revokedCertificates"]
        #expect(Set(keys).subtracting(more) == ["code", "message"])
        return try WireCoding.decode(WireError.self, from: data)
    }
}

extension Router {
    /// The answer as a socket would carry it: the bytes of a file in place of the file.
    func response(to request: HTTPRequest) async throws -> HTTPResponse {
        var response: HTTPResponse
        switch respond(to: request) {
        case .now(let answer): response = answer
        case .later(let work): response = await work()
        }
        guard case .file(let slice) = response.body else { return response }
        let handle = FileHandle(
            fileDescriptor: try #require(slice.take()), closeOnDealloc: true)
        try handle.seek(toOffset: slice.offset)
        response.body = .data(try handle.read(upToCount: Int(slice.length)) ?? Data())
        return response
    }
}
