import Foundation

/// An HTTP request to another machine.
///
///     var request = TransportRequest("PUT", "https://example.com/a")
///     request.body = .data(bytes)
///     request.limits.deadline = .seconds(10)
///     let response = try await client.send(request)
///
/// It goes out as it is: the path is not normalized, and nothing is encoded.
package struct TransportRequest: Sendable {
    package var method: String
    package var url: String
    /// One field each. Line breaks in them are left out, so that no value begins a line of its own.
    /// `Content-Length` follows from the body.
    package var headers: [(name: String, value: String)]
    package var body: TransportBody
    package var limits: TransportLimits
    /// How many redirections are followed, of those that ask for the same request elsewhere.
    /// 0 to get them as responses.
    package var redirectLimit: Int

    package init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [],
        body: TransportBody = .none, limits: TransportLimits = TransportLimits(),
        redirectLimit: Int = 0
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
        self.redirectLimit = redirectLimit
    }
}

/// Where the bytes of a request's body come from.
package enum TransportBody: Sendable {
    /// Fills a buffer with the next bytes; gives how many, 0 at the end.
    package typealias Source = @Sendable (UnsafeMutableRawBufferPointer) throws -> Int

    case none
    case data(Data)
    /// A part of an open file, which stays open until the request has ended.
    case file(descriptor: Int32, range: Range<Int64>)
    /// Bytes that are made while they are sent. They can't be sent twice, so such a request
    /// follows no redirection.
    ///
    /// - Parameter length: bytes in all; `nil` if it isn't known, to send them in chunks.
    case stream(length: Int64?, source: Source)

    /// Bytes in all; `nil` if it isn't known.
    package var length: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file(_, let range): Int64(range.count)
        case .stream(let length, _): length
        }
    }
}
