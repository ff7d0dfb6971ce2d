import FoundationNetworking

/// How slow, and how large, an answer may be before its transfer ends.
///
/// An answer that drips would never end: as long as bytes come, no connection is broken.
struct TransferPace: Sendable {
    /// Seconds in which nothing may come or go; a request can allow more, up to an hour.
    var silence: TimeInterval = 60
    /// The most bytes of the answer; `nil` for content, which is written to a file in pieces.
    var limit: Int?

    /// Bytes a second that a whole answer comes with, beside the time in which nothing comes.
    private static let slowest = 16 << 10

    /// Seconds in which nothing may come or go for a request.
    func patience(with request: URLRequest) -> TimeInterval {
        min(3600, max(silence, request.timeoutInterval))
    }

    /// Fewer bytes a second, over the time in which nothing may come, are a broken connection.
    var leastSpeed: Int { limit == nil ? 1 << 10 : 1 }

    /// The most seconds of the whole transfer; `nil` for no limit.
    ///
    /// - Parameter sending: bytes of the request's body.
    func deadline(of request: URLRequest, sending body: Int64) -> TimeInterval? {
        limit.map {
            patience(with: request) + (Double($0) + Double(max(0, body))) / Double(Self.slowest)
        }
    }
}
