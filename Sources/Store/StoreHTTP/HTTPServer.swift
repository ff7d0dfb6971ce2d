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
        /// Requests with larger bodies; nil for none.
        package var spooling: BodySpooling?

        package init(
            host: String = "127.0.0.1", port: UInt16 = 0, threads: Int = 2,
            connectionLimit: Int = 4096, idleSeconds: Int = 60, bodyLimit: Int = 1 << 20,
            spooling: BodySpooling? = nil
        ) {
            self.host = host
            self.port = port
            self.threads = threads
            self.connectionLimit = connectionLimit
            self.idleSeconds = idleSeconds
            self.bodyLimit = bodyLimit
            self.spooling = spooling
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
    fileprivate let admission: Admission
    fileprivate let bodyTooLarge: @Sendable (String, Int) -> HTTPResponse
    fileprivate let busy: @Sendable (String) -> HTTPResponse
    fileprivate let addressCut: @Sendable (String) -> HTTPResponse
    package let observe: (@Sendable (Record) -> Void)?
    package let bodyLimit: Int
    fileprivate let spool: BodySpool?
    /// The port that clients connect to.
    package let port: UInt16
    private let daemon: Mutex<DaemonReference?>
    private let exchanges = ExchangeCount()
    private let lingering = LingeringSockets()
    private let suspended = SuspendedExchanges()
    private let stopping: @Sendable () -> HTTPResponse

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - handler: called for each request once its body is there.
    ///   - admission: decides by their header about requests with large bodies, before anything
    ///     of the body is taken.
    ///   - bodyTooLarge: answers requests whose body is over the limit; gets their path, and the
    ///     limit in bytes.
    ///   - busy: answers requests with large bodies where there is no room for one more; gets
    ///     their path.
    ///   - addressCut: answers requests whose address has a NUL (`%00`), whatever their method and
    ///     route; gets the path up to it, or all of the path where it stands in the query.
    ///   - stopping: answers requests that are still waiting when the server stops.
    ///   - observe: hears of each answered request.
    /// - Throws: `HTTPServerError` for an address that can't be bound.
    package init(
        _ configuration: Configuration, handler: @escaping Router.Handler,
        admission: @escaping Admission = { _ in nil },
        bodyTooLarge: @escaping @Sendable (String, Int) -> HTTPResponse,
        busy: @escaping @Sendable (String) -> HTTPResponse = { _ in
            HTTPResponse(status: 503, headers: ["Retry-After": "2"])
        },
        addressCut: @escaping @Sendable (String) -> HTTPResponse = { _ in
            HTTPResponse(status: 400)
        },
        stopping: @escaping @Sendable () -> HTTPResponse = { HTTPResponse(status: 503) },
        observe: (@Sendable (Record) -> Void)? = nil
    ) throws {
        self.handler = handler
        self.admission = admission
        self.bodyTooLarge = bodyTooLarge
        self.busy = busy
        self.addressCut = addressCut
        self.stopping = stopping
        self.observe = observe
        self.bodyLimit = configuration.bodyLimit
        self.spool = configuration.spooling.map(BodySpool.init)
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
        lingering.end()
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

    fileprivate func ended(_ exchange: HTTPExchange) {
        if let socket = exchange.takeLingering() { lingering.take(socket) }
        exchanges.remove()
    }

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

    /// Lets nothing of a request's body come until it is decided whether it may. The callback of
    /// the header is called once more then, and can still answer.
    fileprivate func decide(
        about exchange: HTTPExchange, by work: @escaping @Sendable () async -> HTTPResponse?
    ) -> MHD_Result {
        exchange.isBeforeBody = true
        guard suspended.add(exchange) else { return exchange.refuse(stopping()) }
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
        let isCut = slot.pointee == cstore_http_cut()
        guard let held = slot.pointee, !isCut else {
            let method = String(cString: method)
            let path = String(cString: url)
            let spoolLimit = isCut ? nil : server.spool?.limit(method: method, path: path)
            let exchange = HTTPExchange(
                connection: connection, method: method, path: path,
                spool: spoolLimit == nil ? nil : server.spool, spoolLimit: spoolLimit)
            slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            server.began()
            if isCut { return exchange.refuse(server.addressCut(path)) }
            return Self.begin(exchange, by: server)
        }
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(held).takeUnretainedValue()
        if exchange.isBeforeBody {
            exchange.isBeforeBody = false
            if let refusal = exchange.takeResponse() { return exchange.refuse(refusal) }
            return Self.takeBody(of: exchange, by: server)
        }
        if size.pointee > 0 {
            let goesOn = exchange.receive(
                UnsafeRawBufferPointer(start: data, count: size.pointee), limit: server.bodyLimit)
            size.pointee = 0
            return goesOn ? cstore_http_yes : cstore_http_no
        }
        if let response = exchange.takeResponse() { return exchange.queue(response) }
        if exchange.isTooLarge {
            return exchange.queue(
                server.bodyTooLarge(exchange.path, exchange.limit(server.bodyLimit)))
        }
        if exchange.hasFailed { return exchange.queue(server.busy(exchange.path)) }
        switch server.handler(exchange.request()) {
        case .now(let response):
            return exchange.queue(response)
        case .later(let work):
            return server.suspend(exchange, until: work)
        }
    }

    /// The header is there: what it announces is refused, taken, or decided about first.
    private static func begin(_ exchange: HTTPExchange, by server: HTTPServer) -> MHD_Result {
        let limit = exchange.limit(server.bodyLimit)
        guard exchange.announcedLength <= limit else {
            return exchange.refuse(server.bodyTooLarge(exchange.path, limit))
        }
        if exchange.needsAdmission, let work = server.admission(exchange.request()) {
            return server.decide(about: exchange, by: work)
        }
        return takeBody(of: exchange, by: server)
    }

    private static func takeBody(of exchange: HTTPExchange, by server: HTTPServer) -> MHD_Result {
        exchange.beginSpooling() ? cstore_http_yes : exchange.refuse(server.busy(exchange.path))
    }

    func completed(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let slot, let held = slot.pointee, held != cstore_http_cut() else { return }
        slot.pointee = nil
        let exchange = Unmanaged<HTTPExchange>.fromOpaque(held).takeRetainedValue()
        exchange.endSpooling()
        guard let server = server.withLock({ $0 }) else { return }
        server.observe?(exchange.record())
        server.ended(exchange)
    }
}
