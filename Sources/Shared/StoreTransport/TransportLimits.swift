/// How long a request may take, and how large its response may be.
///
/// Without a deadline a response that drips never ends: as long as bytes come, no connection is
/// broken.
package struct TransportLimits: Sendable {
    /// The most time until there is a connection.
    package var connectTimeout: Duration = .seconds(30)
    /// The most time in which fewer than `minimumSpeed` bytes a second come or go. Whole seconds.
    package var idleTimeout: Duration = .seconds(60)
    /// Bytes a second.
    package var minimumSpeed = 1
    /// The most time for all of it; `nil` for no limit.
    package var deadline: Duration?
    /// The most bytes of a response's header, with the headers of interim responses.
    package var headerSize = 64 << 10
    /// The most bytes of a response's body; `nil` for no limit, where a sink bounds it or writes it
    /// to a file.
    package var bodySize: Int? = 8 << 20

    package init() {}
}

extension Duration {
    /// As libcurl takes it: at least 1, as 0 would be no limit; no more than it can hold.
    var curlMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0 else { return 1 }
        guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    var curlSeconds: Int { max(1, curlMilliseconds / 1000) }
}
