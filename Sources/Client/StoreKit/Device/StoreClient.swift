import FoundationNetworking
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Speaks the device interface of a store.
package struct StoreClient: Sendable {
    private let profile: DeviceProfile
    private let deviceID: String
    private let transport: any StoreTransport
    private let introduction = Introduction()

    package init(profile: DeviceProfile, deviceID: String, transport: any StoreTransport) {
        self.profile = profile
        self.deviceID = deviceID
        self.transport = transport
    }

    // MARK: Requests

    func signIn(email: String, password: String) async throws -> SessionAnswer {
        try await post(
            DeviceRoute.session, SignInRequest(email: email, password: password), session: nil)
    }

    func signOut(_ session: SessionAnswer) async throws {
        _ = try await answer(to: request("DELETE", DeviceRoute.session, session: session))
    }

    func products(_ identifiers: [String], session: SessionAnswer?) async throws -> ProductsAnswer {
        try await post(
            DeviceRoute.products, ProductsRequest(productIds: identifiers), session: session)
    }

    func purchase(
        _ order: PurchaseRequest, session: SessionAnswer
    ) async throws -> TransactionAnswer {
        try await post(DeviceRoute.purchases, order, session: session)
    }

    func unfinished(session: SessionAnswer) async throws -> TransactionsAnswer {
        let data = try await answer(
            to: request("GET", DeviceRoute.unfinished, session: session))
        return try WireCoding.decode(TransactionsAnswer.self, from: data)
    }

    func finish(_ transaction: TransactionID, session: SessionAnswer) async throws {
        _ = try await answer(
            to: request("POST", DeviceRoute.finish(transaction.description), session: session))
    }

    func restore(
        _ restore: RestoreRequest, session: SessionAnswer
    ) async throws -> TransactionsAnswer {
        try await post(DeviceRoute.restores, restore, session: session)
    }

    func download(
        _ wanted: DownloadRequest, of transaction: TransactionID, session: SessionAnswer
    ) async throws -> DownloadAnswer {
        try await post(
            DeviceRoute.downloads(transaction.description), wanted, session: session)
    }

    /// The bytes of a small piece of content.
    func content(_ digest: ContentDigest, grant: String) async throws -> Data {
        var request = request("GET", DeviceRoute.content(digest.text), session: nil)
        request.setValue(grant, forHTTPHeaderField: DeviceRoute.grantHeader)
        return try await answer(to: request)
    }

    /// The bytes of content from an offset on, piece by piece.
    func content(
        _ digest: ContentDigest, from offset: Int64, grant: String,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        var request = request("GET", DeviceRoute.content(digest.text), session: nil)
        request.setValue(grant, forHTTPHeaderField: DeviceRoute.grantHeader)
        if offset > 0 { request.setValue("bytes=\(offset)-", forHTTPHeaderField: "Range") }
        let wantedStatus = offset > 0 ? 206 : 200
        try await transport.stream(
            request,
            accept: { response in
                guard response.statusCode == wantedStatus else {
                    throw Self.transferFailure(status: response.statusCode)
                }
            }, sink: sink)
    }

    /// The answer of a page that is open to everybody: who asks is not said.
    ///
    /// - Parameter limit: the most bytes that are taken.
    func publicAnswer(to url: URL, limit: Int) async throws -> (status: Int, body: Data) {
        let answer = Mutex((status: 0, body: Data()))
        try await transport.stream(
            URLRequest(url: url),
            accept: { response in answer.withLock { $0.status = response.statusCode } },
            sink: { data in
                try answer.withLock { answer in
                    guard answer.body.count + data.count <= limit else {
                        throw URLError(.dataLengthExceedsMaximum)
                    }
                    answer.body.append(data)
                }
            })
        return answer.withLock { $0 }
    }

    // MARK: Signed statements

    /// The payload of a transaction that this store signed for this app.
    func verified(_ signedTransaction: String) throws -> TransactionPayload {
        let data = try profile.verifier.verify(signedTransaction) { data in
            Date(
                milliseconds: try WireCoding.decode(TransactionPayload.self, from: data).signedDate)
        }
        let payload = try WireCoding.decode(TransactionPayload.self, from: data)
        guard payload.bundleId == profile.payload.bundleId.text,
            payload.environment == profile.payload.environment.rawValue
        else {
            throw SecurityError(
                .untrusted, "the transaction is for \(payload.bundleId) in \(payload.environment)")
        }
        return payload
    }

    /// The payload of a delivery that this store signed for a transaction.
    func verified(_ signedDelivery: String, for id: TransactionID) throws -> DeliveryPayload {
        let data = try profile.verifier.verify(signedDelivery, type: SignedKind.delivery) { data in
            Date(milliseconds: try WireCoding.decode(DeliveryPayload.self, from: data).signedDate)
        }
        let payload = try WireCoding.decode(DeliveryPayload.self, from: data)
        guard payload.transactionId == id else {
            throw SecurityError(.untrusted, "the delivery is for another transaction")
        }
        guard (0...(64 << 20)).contains(payload.manifestLength),
            (0...(1 << 48)).contains(payload.blobLength)
        else { throw SecurityError(.malformed, "the delivery has impossible lengths") }
        return payload
    }

    /// The SHA-256 of the root certificate that signatures lead to.
    func rootFingerprint() throws -> String {
        SHA256Digest.hex(try profile.verifier.root.der())
    }

    // MARK: Parts

    private func request(
        _ method: String, _ path: String, session: SessionAnswer?
    ) -> URLRequest {
        // The profile's address was checked, and paths are made of safe characters.
        var request = URLRequest(url: URL(string: profile.payload.baseURL + path)!)
        request.httpMethod = method
        request.setValue(deviceID, forHTTPHeaderField: DeviceRoute.deviceHeader)
        if let session {
            request.setValue("Bearer \(session.token)", forHTTPHeaderField: "Authorization")
        }
        return request
    }

    private func post<Answer: Decodable>(
        _ path: String, _ body: some Encodable, session: SessionAnswer?
    ) async throws -> Answer {
        var request = request("POST", path, session: session)
        request.httpBody = try WireCoding.encode(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return try WireCoding.decode(Answer.self, from: try await answer(to: request))
    }

    /// Sends a request with the profile's digest, or with all of the profile where the store
    /// does not know it yet.
    private func answer(to request: URLRequest) async throws -> Data {
        var request = request
        if introduction.isMade {
            request.setValue(profile.digest, forHTTPHeaderField: DeviceRoute.profileHeader)
            do { return try await plainAnswer(to: request) } catch let error as WireError
                where error.code == .profileUnknown
            {
                introduction.isMade = false
            }
        }
        request.setValue(profile.text, forHTTPHeaderField: DeviceRoute.profileHeader)
        let data = try await plainAnswer(to: request)
        introduction.isMade = true
        return data
    }

    private func plainAnswer(to request: URLRequest) async throws -> Data {
        let (data, response) = try await transport.send(request)
        guard (200..<300).contains(response.statusCode) else {
            throw Self.failure(status: response.statusCode, body: data)
        }
        return data
    }

    /// The store's own words; what has none of them came from something in between.
    private static func failure(status: Int, body: Data) -> WireError {
        if let error = try? WireCoding.decode(WireError.self, from: body) { return error }
        return WireError(
            code: .storeUnavailable,
            message: "Something before the store answered with the status \(status).")
    }

    /// What a transfer of content ended with, of which only the status is known.
    private static func transferFailure(status: Int) -> WireError {
        let code: WireErrorCode =
            switch status {
            case 401, 403: .grantExpired
            case 404: .contentNotFound
            case 416: .rangeNotSatisfiable
            default: .storeUnavailable
            }
        return WireError(code: code, message: "The store answered with the status \(status).")
    }
}

/// Whether the store has accepted the whole profile in this run.
private final class Introduction: Sendable {
    private let made = Mutex(false)

    var isMade: Bool {
        get { made.withLock { $0 } }
        set { made.withLock { $0 = newValue } }
    }
}
