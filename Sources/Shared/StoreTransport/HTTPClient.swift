import Foundation
import Synchronization

/// Sends HTTP requests by libcurl.
///
///     let client = HTTPClient()
///     let response = try await client.send(TransportRequest("GET", "https://example.com/"))
///
/// A request ends with a response, whatever its status, or an error: `TransportError`, or what the
/// caller's own closures throw. Nothing that a server sends ends the process. Requests share
/// connections, which stay open. A client is for any thread; its own threads start with the
/// first request that needs them, and end with it.
///
/// It keeps no cookies, no cache and no passwords, and tries nothing again; but libcurl sends a
/// request once more if a connection that was used before is closed without a byte of a response.
///
/// ## Topics
/// - ``send(_:)``
/// - ``stream(_:accept:sink:)``
/// - ``perform(_:accept:sink:)``
package final class HTTPClient: Sendable {
    /// What is the same for all requests of a client.
    package struct Configuration: Sendable {
        /// Whether plain HTTP is spoken too.
        package var allowsPlainHTTP = true
        /// Whether the proxies that the environment names are used.
        package var usesProxies = true
        /// A file with the certificates that are trusted, PEM; `nil` for those of the system.
        package var authorities: String?
        /// Looks at the very address that a connection is about to go to, whatever the name led to
        /// before and however the URL spells it; what it throws keeps the connection away.
        ///
        /// Against server-side request forgery. To be used without proxies, which connect by
        /// themselves.
        package var permit: (@Sendable (PeerAddress) throws -> Void)?
        /// What the client's threads are called.
        package var threadName = "HTTP client"
        /// Threads for ``HTTPClient/stream(_:accept:sink:)``.
        package var streamThreads = 2

        package init() {}
    }

    /// More connections than those of so many blocked threads aren't kept.
    private static let idleLimit = 16

    private let configuration: Configuration
    private let requests: TransferLoop
    /// A sink works on the thread on which bytes arrive, so streams have threads of their own.
    private let streams: [TransferLoop]
    private let turn = Atomic(0)
    private let idle = Mutex<[CurlConnections]>([])

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        requests = TransferLoop(configuration)
        streams = (0..<max(1, configuration.streamThreads)).map { _ in TransferLoop(configuration) }
    }

    /// Sends a request and reads the whole response into memory.
    ///
    /// - Throws: `TransportError`; `bodyTooLong` if there are more bytes than the limits say.
    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let body = Mutex(Data())
        var response = try await follow(
            request, on: requests, accept: { _ in },
            sink: { bytes in body.withLock { $0.append(contentsOf: bytes) } })
        response.body = body.withLock { $0 }
        return response
    }

    /// Sends a request and hands the response's body over piece by piece.
    ///
    /// - Parameters:
    ///   - accept: sees the response before its first byte; what it throws ends the request.
    ///   - sink: gets the pieces in order; what it throws ends the request. No more bytes are read
    ///     while it works; neither are those of other streams on the same thread.
    package func stream(
        _ request: TransportRequest,
        accept: @escaping @Sendable (TransportResponse) throws -> Void,
        sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> TransportResponse {
        let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        let loop = streams[Int(UInt(bitPattern: number) % UInt(streams.count))]
        return try await follow(request, on: loop, accept: accept, sink: sink)
    }

    /// Does the same on the thread that calls it, which waits: for work that blocks anyway, and
    /// digests or writes what comes.
    package func perform(
        _ request: TransportRequest, accept: (TransportResponse) throws -> Void,
        sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> TransportResponse {
        let connections = try idle.withLock { $0.popLast() } ?? CurlConnections()
        defer {
            idle.withLock { if $0.count < Self.idleLimit { $0.append(connections) } }
        }
        var request = request
        for _ in 0...max(0, request.redirectLimit) {
            let current = request
            do {
                return try connections.perform(
                    current, configuration, accept: { try Self.check(current, $0, accept) },
                    sink: sink)
            } catch let redirected as Redirected {
                request = redirected.request
            }
        }
        throw Self.tooManyRedirects
    }

    // MARK: Redirections

    /// A response that sends the request elsewhere. It ends its transfer: nobody wants its body,
    /// which might have no end.
    private struct Redirected: Error {
        let request: TransportRequest
    }

    private static let tooManyRedirects = TransportError(
        .tooManyRedirects, "The responses lead on and on")

    private static func check(
        _ request: TransportRequest, _ response: TransportResponse,
        _ accept: (TransportResponse) throws -> Void
    ) throws {
        if request.redirectLimit > 0, let next = try Redirection.request(after: request, response) {
            throw Redirected(request: next)
        }
        try accept(response)
    }

    /// Sends a request, and again to where the response says that it has to go.
    private func follow(
        _ request: TransportRequest, on loop: TransferLoop,
        accept: @escaping @Sendable (TransportResponse) throws -> Void,
        sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> TransportResponse {
        var request = request
        for _ in 0...max(0, request.redirectLimit) {
            let current = request
            do {
                return try await loop.run(
                    current, accept: { try Self.check(current, $0, accept) }, sink: sink)
            } catch let redirected as Redirected {
                request = redirected.request
            }
        }
        throw Self.tooManyRedirects
    }
}

/// Where a connection is about to go.
package struct PeerAddress: Sendable, Hashable {
    /// 4 or 16 bytes; none for a family without such addresses.
    package let bytes: [UInt8]
    package let port: Int
}
