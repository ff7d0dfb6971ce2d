/// Decides about a request by its header: nil where its body may come at once, or what finds the
/// answer that refuses it, or none.
package typealias Admission =
    @Sendable (HTTPRequest) -> (@Sendable () async -> HTTPResponse?)?

extension HTTPExchange {
    /// Bodies up to so many bytes are taken before anyone asks whose they are.
    static let freeBytes = 16 << 10
}
