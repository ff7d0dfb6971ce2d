import CStoreHTTP
import Foundation
import Synchronization

/// An HTTP server over libmicrohttpd: epoll, a small pool of threads, one handler.
///
/// A handler that answers `.now` is run on the connection's thread, start to end. One
/// that answers `.later` suspends the connection, which then costs no thread.
package final class HTTPServer: Sendable {
    package struct Configuration: Sendable {
        package var host: String
        /// 0 asks the system for a free port.
        package var port: UInt16
        package var threads: Int
        package var connectionLimit: Int
        /// A connection without traffic is closed after so many seconds.
        package var idleSeconds: Int
        /// The largest request body, in bytes.
        package var bodyLimit: Int

        package init(
            host: String = "127.0.0.1", port: UInt16 = 0, threads: Int = 2,
            connectionLimit: Int = 4096, idleSeconds: Int = 60, bodyLimit: Int = 1 << 20
        ) {
            self.host = host
            self.port = port
            self.threads = threads
            self.connectionLimit = connectionLimit
            self.idleSeconds = idleSeconds
            self.bodyLimit = bodyLimit
        }
    }

    /// What happened to a request, for the log.
    package struct Record: Sendable {
        package let method: String
        package let path: String
        package let status: Int
        package let duration: Duration
    }

    package let handler: Router.Handler
    package let bodyTooLarge: @Sendable () -> HTTPResponse
    package let observe: (@Sendable (Record) -> Void)?
    package let bodyLimit: Int
    /// The port that clients connect to.
    package let port: UInt16
    private let daemon: Mutex<DaemonReference?>
    private let exchanges = ExchangeCount()
    private let suspended = SuspendedExchanges()
    private let stopping: @Sendable () -> HTTPResponse

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - handler: called for each request once its body is there.
    ///   - bodyTooLarge: answers requests whose body is over the limit.
    ///   - stopping: answers requests that are still waiting when the server stops.
    ///   - observe: hears of each answered request.
    /// - Throws: `HTTPServerError` for an address that can't be bound.
    package init(
        _ configuration: Configuration, handler: @escaping Router.Handler,
        bodyTooLarge: @escaping @Sendable () -> HTTPResponse,
        stopping: @escaping @Sendable () -> HTTPResponse = { HTTPResponse(status: 503) },
        observe: (@Sendable (Record) -> Void)? = nil
    ) throws {
        self.handler = handler
        self.bodyTooLarge = bodyTooLarge
        self.stopping = stopping
        self.observe = observe
        self.bodyLimit = configuration.bodyLimit
        let context = HandlerContext()
        let daemon = try Self.start(configuration, context: context)
        self.daemon = Mutex(DaemonReference(daemon: daemon, context: context))
        self.port = cstore_http_port(daemon)
        context.server.withLock { $0 = self }
    }

    /// Takes no more connections, lets running requests come to their end for at most
    /// `grace`, tells those that are left that it is stopping, and closes.
    package func stop(grace: Duration = .seconds(10)) {
        guard let reference = daemon.withLock({ $0.take() }) else { return }
        let listener = MHD_quiesce_daemon(reference.daemon)
        exchanges.waitUntilNone(for: grace)
        // libmicrohttpd ends the process where a connection is still suspended.
        if suspended.end(with: stopping) { exchanges.waitUntilNone(for: .seconds(5)) }
        MHD_stop_daemon(reference.daemon)
        if listener >= 0 { close(listener) }
        reference.context.server.withLock { $0 = nil }
    }

    private static func start(
        _ configuration: Configuration, context: HandlerContext
    ) throws -> OpaquePointer {
        let address = try SocketAddress(host: configuration.host, port: configuration.port)
        let opaque = Unmanaged.passUnretained(context).toOpaque()
        let daemon = address.withPointer { pointer in
            cstore_http_start(
                cstore_http_options(
                    address: pointer, threads: UInt32(configuration.threads),
                    connection_limit: UInt32(configuration.connectionLimit),
                    timeout_seconds: UInt32(configuration.idleSeconds),
                    connection_memory: 64 << 10, listen_backlog: 1024),
                { context, connection, url, method, _, data, size, slot in
                    HandlerContext.from(context).answer(
                        connection, url: url, method: method, data: data, size: size, slot: slot)
                }, opaque,
                { context, _, slot, _ in
                    HandlerContext.from(context).completed(slot)
                }, opaque)
        }
        guard let daemon else {
            throw HTTPServerError(
                description:
                    "cannot listen on \(configuration.host):\(configuration.port): "
                    + String(cString: strerror(errno)))
        }
        return daemon
    }

    fileprivate func began() { exchanges.add() }
    fileprivate func ended() { exchanges.remove() }

    fileprivate func suspend(
        _ exchange: HTTPExchange, until work: @escaping @Sendable () async -> HTTPResponse
    ) -> MHD_Result {
        guard suspended.add(exchange) else { return exchange.queue(stopping()) }
        Task {
            exchange.resume(with: await work())
            suspended.remove(exchange)
        }
        return cstore_http_yes
    }
}

/// The server could not be started.
package struct HTTPServerError: Error, CustomStringConvertible {
    package let description: String
}

/// The daemon and what its callbacks point at, which must live as long as it does.
private struct DaemonReference: @unchecked Sendable {
    // Sendable: libmicrohttpd's daemon may be stopped from any thread.
    let daemon: OpaquePointer
    let context: HandlerContext
}

/// How many requests are between their first line and the end of their answer.
private final class ExchangeCount: Sendable {
    private let count = Mutex(0)
    private let none = DispatchSemaphore(value: 0)
    private let isAwaited = Mutex(false)

    func add() {
        count.withLock { $0 += 1 }
    }

    func remove() {
        let left = count.withLock { count in
            count -= 1
            return count
        }
        if left == 0, isAwaited.withLock({ $0 }) { none.signal() }
    }

    func waitUntilNone(for grace: Duration) {
        isAwaited.withLock { $0 = true }
        guard count.withLock({ $0 }) > 0 else { return }
        _ = none.wait(timeout: .now() + grace / .seconds(1))
    }
}

/// The exchanges whose connections are suspended.
private final class SuspendedExchanges: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Suspends the exchange's connection; false where none may be suspended any more.
    func add(_ exchange: HTTPExchange) -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            exchange.suspend()
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            return true
        }
    }

    func remove(_ exchange: HTTPExchange) {
        _ = state.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Answers what is suspended; nothing can be suspended afterwards.
    ///
    /// - Returns: whether there was any.
    func end(with response: () -> HTTPResponse) -> Bool {
        let left = state.withLock { state in
            state.isEnded = true
            return state.exchanges.values.map { $0 }
        }
        for exchange in left { exchange.resume(with: response()) }
        return !left.isEmpty
    }
}

/// What libmicrohttpd's callbacks find the server by.
private final class HandlerContext: Sendable {
    let server = Mutex<HTTPServer?>(nil)

    static func from(_ pointer: UnsafeMutableRawPointer?) -> HandlerContext {
        Unmanaged<HandlerContext>.fromOpaque(pointer!).takeUnretainedValue()
    }

    /// Called by libmicrohttpd when the header is there, for each piece of the body, at
    /// its end, and once more after a suspended connection was resumed.
    func answer(
        _ connection: OpaquePointer?, url: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
        data: UnsafePointer<CChar>?, size: UnsafeMutablePointer<Int>?,
        slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let connection, let url, let method, let size, let slot,
            let server = server.withLock({ $0 })
        else { return cstore_http_no }
        guard let held = slot.pointee else {
            let exchange = HTTPExchange(
                connection: connection, method: String(cString: method), path: String(cString: url))
            slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            server.began()
            if exchange.announcedLength > server.bodyLimit {
                return exchange.queue(server.bodyTooLarge())
            }
            return cstore_http_yes
        }
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(held).takeUnretainedValue()
        if size.pointee > 0 {
            exchange.receive(
                UnsafeRawBufferPointer(start: data, count: size.pointee), limit: server.bodyLimit)
            size.pointee = 0
            return cstore_http_yes
        }
        if let response = exchange.takeResponse() { return exchange.queue(response) }
        if exchange.isTooLarge { return exchange.queue(server.bodyTooLarge()) }
        switch server.handler(exchange.request()) {
        case .now(let response):
            return exchange.queue(response)
        case .later(let work):
            return server.suspend(exchange, until: work)
        }
    }

    func completed(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let slot, let held = slot.pointee else { return }
        slot.pointee = nil
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(held).takeRetainedValue()
        guard let server = server.withLock({ $0 }) else { return }
        server.observe?(exchange.record())
        server.ended()
    }
}

/// One request and its answer.
private final class HTTPExchange: @unchecked Sendable {
    // Sendable: libmicrohttpd calls back for one connection from one thread at a time,
    // and never while the connection is suspended; what the task of a suspended request
    // leaves behind is behind the lock of `waiting`.
    private let connection: OpaquePointer
    private let method: String
    private let path: String
    private let start = ContinuousClock.now
    private let waiting = Mutex(Waiting())
    private var body = Data()
    private var status = 0
    private(set) var isTooLarge = false

    init(connection: OpaquePointer, method: String, path: String) {
        self.connection = connection
        self.method = method
        self.path = path
    }

    /// The `Content-Length` of the request; 0 where there is none.
    var announcedLength: Int {
        MHD_lookup_connection_value(connection, cstore_http_header, "Content-Length")
            .flatMap { Int(String(cString: $0)) } ?? 0
    }

    func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        guard !isTooLarge, body.count + bytes.count <= limit else {
            isTooLarge = true
            body = Data()
            return
        }
        body.append(contentsOf: bytes)
    }

    func request() -> HTTPRequest {
        HTTPRequest(
            method: method, path: path, query: values(of: cstore_http_query),
            headers: HTTPHeaders(values(of: cstore_http_header)), body: body)
    }

    /// What a suspended connection waits for.
    private struct Waiting {
        var isSuspended = false
        var response: HTTPResponse?
    }

    func suspend() {
        waiting.withLock { waiting in
            waiting.isSuspended = true
            MHD_suspend_connection(connection)
        }
    }

    /// Goes on with an answer. Only the first one counts: the connection may be gone when
    /// a second one comes.
    func resume(with response: HTTPResponse) {
        waiting.withLock { waiting in
            guard waiting.isSuspended else { return }
            waiting.isSuspended = false
            waiting.response = response
            MHD_resume_connection(connection)
        }
    }

    func takeResponse() -> HTTPResponse? {
        waiting.withLock { $0.response.take() }
    }

    func queue(_ response: HTTPResponse) -> MHD_Result {
        status = response.status
        let made: OpaquePointer?
        switch response.body {
        case .data(let data):
            made = data.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                    cstore_http_copy)
            }
        case .file(let slice):
            guard let descriptor = slice.take() else { return cstore_http_no }
            made = MHD_create_response_from_fd_at_offset64(
                slice.length, descriptor, slice.offset)
            if made == nil { close(descriptor) }
        }
        guard let made else { return cstore_http_no }
        defer { MHD_destroy_response(made) }
        for (name, value) in response.headers.fields {
            guard MHD_add_response_header(made, name, value) == cstore_http_yes else {
                return cstore_http_no
            }
        }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }

    func record() -> HTTPServer.Record {
        HTTPServer.Record(
            method: method, path: path, status: status, duration: ContinuousClock.now - start)
    }

    private func values(of kind: MHD_ValueKind) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &fields) { pointer in
            _ = MHD_get_connection_values(
                connection, kind,
                { context, _, name, value in
                    guard let context, let name else { return cstore_http_no }
                    context.assumingMemoryBound(to: [(name: String, value: String)].self).pointee
                        .append(
                            (String(cString: name), value.map { String(cString: $0) } ?? ""))
                    return cstore_http_yes
                }, pointer)
        }
        return fields
    }
}
