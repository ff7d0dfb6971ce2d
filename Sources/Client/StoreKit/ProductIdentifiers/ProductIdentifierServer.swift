import FoundationNetworking
import Synchronization

/// The app's own server: asks it for a list, and reports to it.
struct ProductIdentifierServer: Sendable {
    /// What the server says about a list.
    enum Answer {
        case new(ProductIdentifierCache.Copy)
        /// The known copy is still right, with a new time to live.
        case same(ProductIdentifierCache.Copy)
    }

    private struct Report: Encodable {
        let invalidProductIdentifiers: [String]
    }

    let transport: any RequestTransport
    /// Returns when a request has taken too long.
    let timeLimit: @Sendable () async throws -> Void
    let now: @Sendable () -> Date

    /// Asks for a list, or whether the known copy is still right.
    ///
    /// - Throws: `URLError`, or ``OpenStoreProductIdentifiersError`` for an answer that is no
    ///   list.
    func fetch(
        _ url: URL, known: ProductIdentifierCache.Copy?
    ) async throws -> Answer {
        var request = try request(url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let tag = known?.entityTag {
            request.setValue(tag, forHTTPHeaderField: "If-None-Match")
        }
        if let date = known?.lastModified {
            request.setValue(date, forHTTPHeaderField: "If-Modified-Since")
        }
        let requestTime = now()
        let (data, response) = try await send(request, limit: ProductIdentifierFile.byteLimit)
        func field(_ name: String) -> String? {
            // What is longer than any sense is as good as missing.
            response.value(forHTTPHeaderField: name).flatMap { $0.utf8.count <= 1024 ? $0 : nil }
        }
        let freshness = HTTPFreshness(
            cacheControl: field("Cache-Control"), expires: field("Expires"), date: field("Date"),
            age: field("Age"), vary: field("Vary"), requestTime: requestTime, responseTime: now())
        switch response.statusCode {
        case 200:
            let name = url.lastPathComponent.isEmpty ? url.absoluteString : url.lastPathComponent
            return .new(
                ProductIdentifierCache.Copy(
                    url: url.absoluteString,
                    identifiers: try ProductIdentifierFile(json: data, source: name).identifiers,
                    entityTag: field("ETag"), lastModified: field("Last-Modified"),
                    freshness: freshness))
        case 304:
            guard let known else { throw unexpected(response, "to a request without conditions") }
            if let tag = field("ETag"), tag != known.entityTag {
                // About another file than ours (RFC 9111, section 4.3.4).
                return try await fetch(url, known: nil)
            }
            return .same(known.renewed(by: freshness, lastModified: field("Last-Modified")))
        default:
            throw unexpected(response, "for \(url.absoluteString)")
        }
    }

    /// - Throws: `URLError`, or ``OpenStoreProductIdentifiersError`` for a refusal.
    func report(_ identifiers: [String], to url: URL) async throws {
        var request = try request(url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(Report(invalidProductIdentifiers: identifiers))
        let (_, response) = try await send(request, limit: 1 << 16)
        guard (200..<300).contains(response.statusCode) else {
            throw unexpected(response, "to the report")
        }
    }

    // MARK: Parts

    private func request(_ url: URL) throws -> URLRequest {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host != nil else {
            throw URLError(
                .unsupportedURL,
                userInfo: [
                    NSLocalizedDescriptionKey: "\(url.absoluteString) is no address of a server."
                ])
        }
        return URLRequest(url: url)
    }

    private func unexpected(
        _ response: HTTPURLResponse, _ what: String
    ) -> OpenStoreProductIdentifiersError {
        OpenStoreProductIdentifiersError(
            .unexpectedAnswer,
            "The server has answered \(what) with the status \(response.statusCode).")
    }

    /// Sends a request; ends it where the answer grows over the limit or takes too long, however
    /// slowly it drips.
    private func send(
        _ request: URLRequest, limit: Int
    ) async throws -> (Data, HTTPURLResponse) {
        let answer = ReceivedAnswer(limit: limit)
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [transport] in
                try await transport.stream(
                    request, accept: { answer.begin($0) },
                    sink: { try answer.append($0, of: request.url) })
                return true
            }
            group.addTask { [timeLimit] in
                try await timeLimit()
                return false
            }
            defer { group.cancelAll() }
            guard try await group.next() == true else { throw URLError(.timedOut) }
            return try answer.whole()
        }
    }
}

/// As much of an answer as has arrived, up to a limit.
private final class ReceivedAnswer: Sendable {
    private let limit: Int
    private let content = Mutex<(data: Data, response: HTTPURLResponse?)>((Data(), nil))

    init(limit: Int) {
        self.limit = limit
    }

    func begin(_ response: HTTPURLResponse) {
        content.withLock { $0.response = response }
    }

    func append(_ piece: Data, of url: URL?) throws {
        try content.withLock { content in
            guard content.data.count + piece.count <= limit else {
                throw ProductIdentifierFile.tooLarge(url?.lastPathComponent ?? "The answer")
            }
            content.data.append(piece)
        }
    }

    func whole() throws -> (Data, HTTPURLResponse) {
        let (data, response) = content.withLock { $0 }
        guard let response else { throw URLError(.badServerResponse) }
        return (data, response)
    }
}

extension ProductIdentifierCache.Copy {
    /// The copy with the fields of a 304: those that it has replace the old ones.
    fileprivate func renewed(
        by freshness: HTTPFreshness, lastModified: String?
    ) -> ProductIdentifierCache.Copy {
        var copy = self
        copy.lastModified = lastModified ?? self.lastModified
        copy.freshness = freshness
        copy.freshness.cacheControl = freshness.cacheControl ?? self.freshness.cacheControl
        copy.freshness.expires = freshness.expires ?? self.freshness.expires
        copy.freshness.vary = freshness.vary ?? self.freshness.vary
        return copy
    }
}
