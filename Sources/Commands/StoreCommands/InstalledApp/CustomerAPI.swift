import Foundation
import FoundationNetworking
import StoreKit
import StoreModel
import StoreWire

/// What a customer's device asks a store about apps.
struct CustomerAPI: Sendable {
    /// What the paths of devices are appended to: the store's address, and the environment's path.
    let baseURL: String
    let device: String
    let transport: any RequestTransport

    func signIn(_ credentials: SignInRequest) async throws -> SessionAnswer {
        try await decoded(
            request("POST", DeviceRoute.customerSession, body: credentials, session: nil))
    }

    /// Apps that are called so: one, or what a search has found.
    func apps(named name: String, session: SessionAnswer?) async throws -> [AppAnswer] {
        var query = URLComponents()
        query.queryItems = [URLQueryItem(name: "name", value: name)]
        // In queries of forms a plus stands for a space.
        let text = (query.percentEncodedQuery ?? "").replacing(scalar: "+", with: "%2B")
        let answer: AppsAnswer = try await decoded(
            request("GET", "\(DeviceRoute.apps)?\(text)", session: session))
        return answer.apps
    }

    func app(_ number: Int64, session: SessionAnswer?) async throws -> AppAnswer {
        try await decoded(request("GET", DeviceRoute.app(number), session: session))
    }

    func buy(_ app: AppAnswer, session: SessionAnswer) async throws -> AppAnswer {
        let terms = AppPurchaseRequest(price: app.price, currency: app.currency)
        return try await decoded(
            request("POST", DeviceRoute.appPurchase(app.number), body: terms, session: session))
    }

    func delivery(of number: Int64, session: SessionAnswer) async throws -> AppDeliveryAnswer {
        try await decoded(
            request(
                "POST", DeviceRoute.appDelivery(number), body: [String: String](),
                session: session))
    }

    /// The bytes of a small piece of content, or of a range.
    func content(
        _ digest: ContentDigest, bytes: Range<Int64>?, grant: String,
        accept: @escaping @Sendable (Int) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        var request = try request("GET", DeviceRoute.content(digest.text), session: nil)
        request.setValue(grant, forHTTPHeaderField: DeviceRoute.grantHeader)
        if let bytes {
            request.setValue(
                "bytes=\(bytes.lowerBound)-\(bytes.upperBound - 1)", forHTTPHeaderField: "Range")
        }
        try await transport.stream(request, accept: { try accept($0.statusCode) }, sink: sink)
    }

    /// A picture of an app; nil where it can't be had, which stops nothing.
    func picture(_ path: String) async -> Data? {
        let isPath = path.hasPrefix(scalars: "/") && !path.hasPrefix(scalars: "//")
        guard isPath, let root = URL(string: baseURL),
            let url = URL(string: path, relativeTo: root)
        else { return nil }
        let answer = try? await transport.send(URLRequest(url: url), limit: 4 << 20)
        guard let (data, response) = answer, response.statusCode == 200 else { return nil }
        return data
    }

    // MARK: Parts

    private func request(
        _ method: String, _ path: String, session: SessionAnswer?
    ) throws -> URLRequest {
        guard let url = URL(string: baseURL + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(device, forHTTPHeaderField: DeviceRoute.deviceHeader)
        if let session {
            request.setValue("Bearer \(session.token)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    private func request(
        _ method: String, _ path: String, body: some Encodable, session: SessionAnswer?
    ) throws -> URLRequest {
        var request = try request(method, path, session: session)
        request.httpBody = try WireCoding.encode(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }

    private func decoded<Answer: Decodable>(_ request: URLRequest) async throws -> Answer {
        let (data, response) = try await transport.send(request)
        guard (200..<300).contains(response.statusCode) else {
            throw (try? WireCoding.decode(WireError.self, from: data))
                ?? WireError(
                    code: .storeUnavailable,
                    message: "What answers at \(baseURL) with status \(response.statusCode) is no "
                        + "OpenStore; check --store.")
        }
        return try WireCoding.decode(Answer.self, from: data)
    }
}
