import FoundationNetworking
import StoreTransport

/// HTTP by ``HTTPClient``, in Foundation's values: requests, answers and errors.
///
/// Not by Foundation's `URLSession`, which is made of libcurl too: it ends the process when
/// an answer's header is malformed, keeps a processor busy while a request waits over a
/// fresh connection, and takes bytes faster than they are dealt with.
package final class HTTPTransport: RequestTransport {
    /// The most bytes of an answer. Content, which comes in pieces, may have more.
    package static let answerLimit: Int = 8 << 20

    private let silence: TimeInterval
    private let client: HTTPClient

    /// - Parameter silence: seconds in which nothing may come or go before a connection counts as
    ///   broken; a request can allow more.
    package init(silence: TimeInterval = 60) {
        self.silence = silence
        var configuration = HTTPClient.Configuration()
        configuration.threadName = "StoreKit transfers"
        client = HTTPClient(configuration)
    }

    package func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await send(request, limit: Self.answerLimit)
    }

    /// All of it comes in the time that the request allows for an answer, and in what `limit` and
    /// the request's body take at 16 KB a second; else it ends with `URLError.timedOut`.
    package func send(
        _ request: URLRequest, limit: Int
    ) async throws -> (Data, HTTPURLResponse) {
        let answer = try await Self.throwing(request) {
            try await client.send(TransportRequest(request, silence: silence, limit: limit))
        }
        return (answer.body, try Self.response(answer))
    }

    package func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        _ = try await Self.throwing(request) {
            try await client.stream(
                TransportRequest(request, silence: silence, limit: nil),
                accept: { try accept(Self.response($0)) }, sink: { try sink(Data($0)) })
        }
    }

    private static func throwing<Value>(
        _ request: URLRequest, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let error as TransportError {
            throw URLError(error, url: request.url)
        }
    }

    private static func response(_ answer: TransportResponse) throws -> HTTPURLResponse {
        guard let url = URL(string: answer.url),
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: nil, headerFields: answer.fields)
        else { throw URLError(.badServerResponse) }
        return response
    }
}
