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

    /// Has the customer asked on a page.
    ///
    /// - Parameter session: of the account whose question it is; nil where that is the
    ///   question.
    func ask(_ prompt: PromptRequest, session: SessionAnswer?) async throws -> PromptAnswer {
        try await post(DeviceRoute.prompts, prompt, session: session)
    }

    /// How a prompt has ended; `pending` where it had not after the time that a request
    /// waits.
    func answer(to prompt: PromptAnswer) async throws -> PromptStateAnswer {
        let data = try await answer(to: try request("GET", prompt, query: "?wait=45"))
        return try WireCoding.decode(PromptStateAnswer.self, from: data)
    }

    /// Says that nobody waits for a prompt any longer.
    func abandon(_ prompt: PromptAnswer) async throws {
        _ = try await answer(to: try request("DELETE", prompt))
    }

    /// Whether an address is one of this store's pages.
    func isPage(_ url: URL) -> Bool {
        url.absoluteString.hasPrefix(profile.payload.baseURL + "/")
    }

    private func request(
        _ method: String, _ prompt: PromptAnswer, query: String = ""
    ) throws -> URLRequest {
        guard let id = TransactionID(prompt.id) else { throw URLError(.badServerResponse) }
        var request = request(
            method, DeviceRoute.prompt(id.description) + query, session: nil)
        request.setValue(prompt.secret, forHTTPHeaderField: DeviceRoute.promptHeader)
        return request
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
