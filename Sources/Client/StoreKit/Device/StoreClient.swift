import FoundationNetworking
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Speaks the device interface of a store.
package struct StoreClient: Sendable {
    let profile: DeviceProfile
    package let deviceID: String
    let transport: any RequestTransport
    private let handshake = ProfileHandshake()

    package init(profile: DeviceProfile, deviceID: String, transport: any RequestTransport) {
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

    /// What the store knows of products.
    ///
    /// - Parameters:
    ///   - tag: of an answer that is at hand; nil comes back where it still is the answer.
    ///   - locale: the locale of titles and descriptions; nil for the storefront's.
    func products(
        _ identifiers: [String], session: SessionAnswer?, unless tag: String? = nil,
        in locale: String? = nil
    ) async throws -> ProductRequestCache.Reply? {
        var request = try request(
            "POST", DeviceRoute.products, ProductsRequest(productIds: identifiers),
            session: session)
        if let tag { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        if let locale { request.setValue(locale, forHTTPHeaderField: DeviceRoute.localeHeader) }
        let (data, response) = try await answer(to: request)
        if response.statusCode == 304 { return nil }
        let tag = response.value(forHTTPHeaderField: "ETag")
        // Under the tag of another answer it would be confirmed for ever, and so it is not kept.
        let isKept = tag == nil || tag == SHA256Digest.entityTag(of: data)
        return ProductRequestCache.Reply(
            answer: try WireCoding.decode(ProductsAnswer.self, from: data),
            tag: isKept ? tag : nil,
            lifetime: isKept
                ? Self.lifetime(response.value(forHTTPHeaderField: "Cache-Control")) : 0,
            length: data.count)
    }

    /// What becomes of an order that the store takes.
    enum PurchaseAnswer {
        case sold(TransactionAnswer)
        /// Somebody else has to approve it, on a page at this path below the base URL where
        /// the store tells.
        case deferred(approvalPage: String?)
    }

    func quote(_ wanted: QuoteRequest, session: SessionAnswer) async throws -> QuoteAnswer {
        try await post(DeviceRoute.quotes, wanted, session: session)
    }

    func purchase(
        _ order: PurchaseRequest, session: SessionAnswer
    ) async throws -> PurchaseAnswer {
        let (data, response) = try await answer(
            to: request("POST", DeviceRoute.purchases, order, session: session))
        if response.statusCode == 202 {
            let page = try? WireCoding.decode(DeferredAnswer.self, from: data).approvalPage
            // It is shown to people: what is no path is as good as none.
            let isPath = page.map { path in
                path.hasPrefix(scalars: "/") && path.utf8.allSatisfy { (0x21...0x7e).contains($0) }
            }
            return .deferred(approvalPage: isPath == true ? page : nil)
        }
        return .sold(try WireCoding.decode(TransactionAnswer.self, from: data))
    }

    /// A page of what this device has not finished.
    func unfinished(
        after: TransactionID?, session: SessionAnswer
    ) async throws -> TransactionsAnswer {
        let query = after.map { "?after=\($0)" } ?? ""
        return try await get(DeviceRoute.unfinished + query, session: session)
    }

    /// Events behind a cursor, as soon as there are some; without one, where they stand.
    ///
    /// - Parameter history: what the answer before said of the account's history: a change of it is
    ///   answered at once, too; nil to wait for events only.
    func events(
        after cursor: Int64?, wait: Int, history: Int64? = nil, session: SessionAnswer
    ) async throws -> EventsAnswer {
        var query = cursor.map { "?after=\($0)&wait=\(wait)" } ?? ""
        if cursor != nil, let history { query += "&history=\(max(0, history))" }
        return try await get(DeviceRoute.events + query, session: session)
    }

    func redeem(
        _ redemption: RedemptionRequest, session: SessionAnswer
    ) async throws -> TransactionAnswer {
        try await post(DeviceRoute.redemptions, redemption, session: session)
    }

    func answerConsent(_ id: Int64, agreed: Bool, session: SessionAnswer) async throws {
        _ = try await answer(
            to: request(
                "POST", DeviceRoute.consent(id), ConsentRequest(agreed: agreed), session: session))
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

    func receipt(
        _ wanted: ReceiptRequest, session: SessionAnswer
    ) async throws -> ReceiptAnswer {
        try await post(DeviceRoute.receipt, wanted, session: session)
    }

    func download(
        _ wanted: DownloadRequest, of transaction: TransactionID, session: SessionAnswer
    ) async throws -> DownloadAnswer {
        try await post(
            DeviceRoute.downloads(transaction.description), wanted, session: session)
    }

    /// The next grant of a download, by its token and without a session.
    func renewDownload(_ token: String) async throws -> DownloadAnswer {
        try await post(DeviceRoute.renewal, DownloadRenewalRequest(token: token), session: nil)
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
        let (data, _) = try await answer(
            to: try request("GET", prompt, query: "?wait=\(DeviceRoute.longestWait)"))
        return try WireCoding.decode(PromptStateAnswer.self, from: data)
    }

    /// Says that nobody waits for a prompt any longer.
    func abandon(_ prompt: PromptAnswer) async throws {
        // Somebody waits for the end of this one, so it has little time to drip.
        _ = try await answer(to: try request("DELETE", prompt), limit: 64 << 10)
    }

    /// Asks whether a storefront has an item.
    ///
    /// - Throws: `WireError` with the code `itemUnknown` or `itemNotInStorefront` where it has
    ///   not.
    func checkItem(_ id: Int64, storefront: String) async throws {
        _ = try await answer(
            to: request("GET", DeviceRoute.item(id, storefront: storefront), session: nil))
    }

    /// Whether an address is one of this store's pages.
    func isPage(_ url: URL) -> Bool {
        url.absoluteString.hasPrefix(scalars: profile.payload.baseURL + "/")
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

    /// Some bytes of content, or all with `nil`, piece by piece.
    ///
    /// - Parameter accept: sees the status of the answer; what it throws ends the transfer.
    func content(
        _ digest: ContentDigest, bytes: Range<Int64>?, grant: String,
        accept: @escaping @Sendable (Int) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        var request = request("GET", DeviceRoute.content(digest.text), session: nil)
        request.setValue(grant, forHTTPHeaderField: DeviceRoute.grantHeader)
        if let bytes {
            request.setValue(
                "bytes=\(bytes.lowerBound)-\(bytes.upperBound - 1)", forHTTPHeaderField: "Range")
        }
        try await transport.stream(
            request, accept: { try accept($0.statusCode) }, sink: sink)
    }

    /// The answer of a page that is open to everybody: who asks is not said.
    ///
    /// - Parameter limit: the most bytes that are taken.
    func publicAnswer(to url: URL, limit: Int) async throws -> (status: Int, body: Data) {
        let (body, response) = try await transport.send(URLRequest(url: url), limit: limit)
        return (response.statusCode, body)
    }

    // MARK: Parts

    func request(
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

    func post<Answer: Decodable>(
        _ path: String, _ body: some Encodable, session: SessionAnswer?
    ) async throws -> Answer {
        let request = try request("POST", path, body, session: session)
        return try WireCoding.decode(Answer.self, from: try await answer(to: request).data)
    }

    func get<Answer: Decodable>(
        _ path: String, session: SessionAnswer
    ) async throws -> Answer {
        let request = request("GET", path, session: session)
        return try WireCoding.decode(Answer.self, from: try await answer(to: request).data)
    }

    func request(
        _ method: String, _ path: String, _ body: some Encodable, session: SessionAnswer?
    ) throws -> URLRequest {
        var request = request(method, path, session: session)
        request.httpBody = try WireCoding.encode(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }

    /// The seconds that `Cache-Control` allows, at most a day.
    static func lifetime(_ cacheControl: String?) -> TimeInterval {
        let directives = (cacheControl ?? "").lowercased().split(scalar: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard !directives.contains("no-store"), !directives.contains("no-cache") else { return 0 }
        let age = directives.first { $0.hasPrefix(scalars: "max-age=") }.flatMap {
            Int($0.dropFirst(8))
        }
        return TimeInterval(min(max(0, age ?? 0), 86_400))
    }

    /// Sends a request with the profile's digest, or with all of the profile where the store
    /// does not know it yet.
    ///
    /// - Parameter limit: bytes that the answer has at most.
    func answer(
        to request: URLRequest, limit: Int = HTTPTransport.answerLimit
    ) async throws -> (data: Data, response: HTTPURLResponse) {
        var request = request
        if handshake.isMade {
            request.setValue(profile.digest, forHTTPHeaderField: DeviceRoute.profileHeader)
            do { return try await plainAnswer(to: request, limit) } catch let error as WireError
                where error.code == .profileUnknown
            {
                handshake.isMade = false
            }
        }
        request.setValue(profile.text, forHTTPHeaderField: DeviceRoute.profileHeader)
        let answer = try await plainAnswer(to: request, limit)
        handshake.isMade = true
        return answer
    }

    private func plainAnswer(
        to request: URLRequest, _ limit: Int
    ) async throws -> (data: Data, response: HTTPURLResponse) {
        let (data, response) = try await transport.send(request, limit: limit)
        let isWanted = request.value(forHTTPHeaderField: "If-None-Match") != nil
        guard (200..<300).contains(response.statusCode) || response.statusCode == 304 && isWanted
        else {
            // The store's own words, unless it came from something in between.
            throw (try? WireCoding.decode(WireError.self, from: data))
                ?? WireError(
                    code: .storeUnavailable,
                    message:
                        "Something before the store answered with the status \(response.statusCode)."
                )
        }
        return (data, response)
    }

    /// What a transfer of content ended with, of which only the status is known.
    package static func transferFailure(status: Int) -> WireError {
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
private final class ProfileHandshake: Sendable {
    private let made = Mutex(false)

    var isMade: Bool {
        get { made.withLock { $0 } }
        set { made.withLock { $0 = newValue } }
    }
}
