/// Finds out what a request is for, before anything else looks at it.
///
/// Gets the target as it came, decoded and without the query, and the `Host`. The target of a
/// request to a proxy is an address (RFC 9112, section 3.2.2).
package typealias Addressing = @Sendable (_ target: String, _ host: String?) -> Addressed

/// What a request is for.
package enum Addressed: Sendable {
    /// What is at a path.
    case path(String)
    /// Answered already; the path is for the log.
    case answered(HTTPResponse, path: String)
}
