import FoundationNetworking
import Synchronization

/// HTTP by libcurl.
///
/// Not by Foundation's `URLSession`, which is made of libcurl too: it ends the process when
/// an answer's header is malformed, keeps a processor busy while a request waits over a
/// fresh connection, and takes bytes faster than they are dealt with. Its values, requests,
/// answers and errors, are Foundation's.
package final class HTTPTransport: StoreTransport {
    private static let redirections = 5
    /// The most bytes of an answer. Content, which is written to a file, may have more.
    package static let answerLimit: Int = 8 << 20

    private let silence: TimeInterval
    private let requests = TransferLoop()
    /// What arrives is dealt with where it arrives: content on threads of its own.
    private let streams = [TransferLoop(), TransferLoop()]
    private let turn = Mutex(0)

    /// - Parameter silence: seconds in which nothing may come or go before a connection counts as
    ///   broken; a request can allow more.
    package init(silence: TimeInterval = 60) {
        self.silence = silence
    }

    package func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await send(request, limit: Self.answerLimit)
    }

    /// All of it comes in the time that the request allows for an answer, and in what `limit` and
    /// the request's body take at 16 KB a second; else it ends with `URLError.timedOut`.
    package func send(
        _ request: URLRequest, limit: Int
    ) async throws -> (Data, HTTPURLResponse) {
        let answer = Mutex<(data: Data, response: HTTPURLResponse?)>((Data(), nil))
        try await follow(
            request, on: requests, pace: TransferPace(silence: silence, limit: limit),
            accept: { response in answer.withLock { $0.response = response } },
            sink: { data in
                try answer.withLock { answer in
                    guard answer.data.count + data.count <= limit else {
                        throw Self.tooLong(limit)
                    }
                    answer.data.append(data)
                }
            })
        let (data, response) = answer.withLock { $0 }
        guard let response else { throw URLError(.badServerResponse) }
        return (data, response)
    }

    package func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let number = turn.withLock { turn in
            turn = (turn + 1) % streams.count
            return turn
        }
        try await follow(
            request, on: streams[number], pace: TransferPace(silence: silence, limit: nil),
            accept: accept, sink: sink)
    }

    private static func tooLong(_ limit: Int) -> URLError {
        URLError(
            .dataLengthExceedsMaximum,
            userInfo: [NSLocalizedDescriptionKey: "The answer has more than \(limit) bytes."])
    }

    /// An answer that sends the request elsewhere. It ends its transfer: nobody wants its body,
    /// which might have no end.
    private struct Redirected: Error {
        let request: URLRequest
    }

    /// Sends a request, and again to where the answer says that it has to go.
    private func follow(
        _ request: URLRequest, on loop: TransferLoop, pace: TransferPace,
        accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        var request = request
        for _ in 0...Self.redirections {
            let current = request
            do {
                return try await loop.run(
                    current, pace: pace,
                    accept: { response in
                        if let next = try Redirection.request(after: current, response) {
                            throw Redirected(request: next)
                        }
                        try accept(response)
                    }, sink: sink)
            } catch let redirected as Redirected {
                request = redirected.request
            }
        }
        throw URLError(.httpTooManyRedirects)
    }
}

/// Where answers send requests to.
enum Redirection {
    /// The request that an answer asks for; nil where it asks for none.
    ///
    /// What a request carries for its server is not shown to another one.
    ///
    /// - Throws: `URLError.badServerResponse` for an address that is none, or a way from
    ///   HTTPS to HTTP.
    static func request(
        after request: URLRequest, _ response: HTTPURLResponse
    ) throws -> URLRequest? {
        let method = request.httpMethod ?? "GET"
        let keepsMethod = [307, 308].contains(response.statusCode)
        let isSafe = method == "GET" || method == "HEAD"
        guard keepsMethod || (isSafe && [301, 302, 303].contains(response.statusCode)),
            let place = response.value(forHTTPHeaderField: "Location"), let from = request.url
        else { return nil }
        guard let url = URL(string: place, relativeTo: from)?.absoluteURL,
            url.scheme == "https" || (url.scheme == "http" && from.scheme == "http")
        else { throw URLError(.badServerResponse) }
        // A body that was read as it was sent is gone.
        guard request.httpBodyStream == nil else { throw URLError(.badServerResponse) }
        var redirected = request
        redirected.url = url
        let isSameServer =
            url.host == from.host && url.port == from.port && url.scheme == from.scheme
        if !isSameServer {
            guard isSafe else { throw URLError(.badServerResponse) }
            redirected.allHTTPHeaderFields = nil
            for name in ["Range", "Accept", "If-None-Match"] {
                redirected.setValue(
                    request.value(forHTTPHeaderField: name), forHTTPHeaderField: name)
            }
        }
        return redirected
    }
}
