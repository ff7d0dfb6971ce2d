import CStoreHTTP
import Foundation
import Synchronization

/// An HTTP server over libmicrohttpd: epoll, a thread that accepts and a small pool of threads that
/// answer, one handler.
///
/// A handler that answers `.now` is run on the connection's thread, start to end. One
/// that answers `.later` suspends the connection, which then costs no thread.
package final class HTTPServer: Sendable {
    package let handler: Router.Handler
    let addressing: Addressing
    let tunnel: Tunnel?
    let isTLS: Bool
    let admission: Admission
    let bodyTooLarge: @Sendable (String, Int) -> HTTPResponse
    let busy: @Sendable (String) -> HTTPResponse
    let malformed: @Sendable (String, MalformedRequest) -> HTTPResponse
    private let commonHeaders: HTTPHeaders
    private let isRetiring = Atomic(false)
    /// Where clients connect; nil where they can't.
    private let socket: Mutex<ListeningSocket?>
    private let acceptor: Acceptor?
    let watch: ConnectionWatch
    private let running: (requests: RunningRequests, shown: @Sendable (String) -> String)?
    private let proxies: AddressSet
    private let uncounted: AddressSet
    private let identifiers = RequestIDs()
    package let observe: (@Sendable (Record) -> Void)?
    package let bodyLimit: Int
    let spool: BodySpool?
    /// The port that clients connect to; 0 where they can't.
    package let port: UInt16
    private let daemon: Mutex<DaemonReference?>
    private let slots: ClientSlots
    private let exchanges = ExchangeCount()
    private let lingering = LingeringSockets()
    private let suspended = SuspendedExchanges()
    private let stopping: @Sendable (Unanswered) -> HTTPResponse
    private let farewell: Duration

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - handler: called for each request once its body is there.
    ///   - addressing: finds the path that a request is for.
    ///   - tunnel: where clients end up that ask for one; nil where `CONNECT` is a request like
    ///     others.
    ///   - admission: decides by their header about requests with large bodies, before anything
    ///     of the body is taken.
    ///   - bodyTooLarge: answers requests whose body is over the limit; gets their path, and the
    ///     limit in bytes.
    ///   - busy: answers requests with large bodies where there is no room for one more; gets
    ///     their path.
    ///   - malformed: answers requests whose form leaves doubts about what they are, whatever their
    ///     method and route; gets their path. Of an address with a NUL (`%00`) it gets the path up
    ///     to it, or all of the path where it stands in the query.
    ///   - stopping: answers requests that are still waiting when the server stops, and those
    ///     that come then.
    ///   - observe: hears of each answered request.
    /// - Throws: `HTTPServerError` for an address that can't be bound, and for a key that is not
    ///   the certificate's.
    package init(
        _ configuration: Configuration, handler: @escaping Router.Handler,
        addressing: @escaping Addressing = { target, _ in .path(target) },
        tunnel: Tunnel? = nil,
        admission: @escaping Admission = { _ in nil },
        bodyTooLarge: @escaping @Sendable (String, Int) -> HTTPResponse,
        busy: @escaping @Sendable (String) -> HTTPResponse = { _ in
            HTTPResponse(status: 503, headers: ["Retry-After": "2"])
        },
        malformed: @escaping @Sendable (String, MalformedRequest) -> HTTPResponse = { _, problem in
            HTTPResponse(status: 400, body: Data(problem.sentence.utf8))
        },
        stopping: @escaping @Sendable (Unanswered) -> HTTPResponse = { _ in
            HTTPResponse(status: 503)
        },
        observe: (@Sendable (Record) -> Void)? = nil
    ) throws {
        self.handler = handler
        self.addressing = addressing
        self.tunnel = tunnel
        self.isTLS = configuration.certificate != nil
        self.slots = ClientSlots(limit: configuration.connectionLimit)
        let socket =
            configuration.listens
            ? try configuration.socket
                ?? ListeningSocket(host: configuration.host, port: configuration.port)
            : nil
        self.socket = Mutex(socket)
        self.acceptor = try socket.map { try Acceptor($0.descriptor) }
        self.admission = admission
        self.bodyTooLarge = bodyTooLarge
        self.busy = busy
        self.malformed = malformed
        self.commonHeaders = configuration.commonHeaders
        self.running = configuration.running
        self.proxies = configuration.proxies
        self.uncounted = configuration.uncounted
        self.watch = ConnectionWatch(
            timeouts: configuration.timeouts, idle: .seconds(configuration.idleSeconds),
            limit: configuration.connectionsPerClient)
        self.farewell = configuration.timeouts.farewell
        self.stopping = stopping
        self.observe = observe
        self.bodyLimit = configuration.bodyLimit
        self.spool = configuration.spooling.map(BodySpool.init)
        let context = HandlerContext()
        let daemon = try Self.start(configuration, context: context, hasTunnel: tunnel != nil)
        self.daemon = Mutex(DaemonReference(daemon: daemon, context: context))
        self.port = socket?.port ?? 0
        context.begin(self)
        acceptor?.start(
            reserve: { [self] in reserveSlot() }, leave: { [self] in releaseSlot() },
            add: { [self] in add($0, $1) })
    }

    /// Graceful shutdown (draining): takes no more connections, lets running requests come to
    /// their end for at most `grace`, tells those that are left that it is stopping, and closes.
    ///
    /// Clients that keep connections may be about to use them: for the time of
    /// `RequestTimeouts.farewell` what they ask is answered, and each is told that its connection ends.
    package func stop(grace: Duration = .seconds(10)) {
        let isFirst = quiesce()
        guard let reference = daemon.withLock({ $0.take() }) else { return }
        // The socket of one that has retired is somebody else's now, and one that was inherited goes
        // on to listen: whoever connects waits for the next process.
        let socket = socket.withLock { $0.take() }
        if isFirst, let socket, !socket.isInherited { turnAway(socket, reference) }
        slots.waitUntilEmpty(for: farewell)
        exchanges.waitUntilNone(for: grace)
        // libmicrohttpd ends the process where a connection is still suspended.
        if suspended.end(with: stopping) { exchanges.waitUntilNone(for: .seconds(5)) }
        MHD_stop_daemon(reference.daemon)
        watch.end()
        lingering.end()
        reference.context.end()
    }

    /// Takes no more connections, and calls something when the last one has ended: who waits for an
    /// answer, or reads one, is not disturbed.
    package func retire(then ended: @escaping @Sendable () -> Void) {
        quiesce()
        slots.whenEmpty(ended)
    }

    /// Lets nobody connect any more.
    ///
    /// - Returns: whether that had not been done before.
    @discardableResult
    private func quiesce() -> Bool {
        let isFirst = !isRetiring.exchange(true, ordering: .relaxed)
        acceptor?.stop()
        return isFirst
    }

    /// Takes in who has connected already, and refuses who does so now, which a proxy takes for a
    /// reason to ask somebody else.
    private func turnAway(_ socket: ListeningSocket, _ reference: DaemonReference) {
        while slots.take() {
            guard case .accepted(let descriptor, let address) = socket.next() else {
                releaseSlot()
                break
            }
            if !reference.add(descriptor, address) { releaseSlot() }
        }
        socket.shutDown()
    }

    /// Header fields that an answer has, whatever it is.
    var common: HTTPHeaders {
        guard isRetiring.load(ordering: .relaxed) else { return commonHeaders }
        var headers = commonHeaders
        headers["Connection"] = "close"
        return headers
    }

    package var connections: Connections {
        let metrics = watch.metrics
        return Connections(open: metrics.open, opened: metrics.opened, ends: metrics.ends)
    }

    private static func start(
        _ configuration: Configuration, context: HandlerContext, hasTunnel: Bool
    ) throws -> OpaquePointer {
        let opaque = Unmanaged.passUnretained(context).toOpaque()
        let certificate = configuration.certificate
        let daemon = withCString(certificate?.chain) { chain in
            withCString(certificate?.key) { key in
                cstore_http_start(
                    cstore_http_options(
                        threads: configuration.listens ? UInt32(configuration.threads) : 1,
                        connection_limit: UInt32(configuration.connectionLimit)
                            + Self.spareConnections,
                        timeout_seconds: UInt32(configuration.idleSeconds),
                        connection_memory: 64 << 10, certificates: chain, key: key,
                        notify: Self.connectionChanged, notify_context: opaque,
                        spares_sockets: hasTunnel ? 1 : 0),
                    { context, connection, url, method, version, data, size, slot in
                        HandlerContext.from(context).answer(
                            connection, url: url, method: method, version: version,
                            data: data, size: size, slot: slot)
                    }, opaque,
                    { context, _, slot, _ in
                        HandlerContext.from(context).completed(slot)
                    }, opaque)
            }
        }
        guard let daemon else {
            var reason = String(cString: strerror(errno))
            // A certificate that does not fit is no error of the system.
            if certificate != nil {
                reason = String(cString: cstore_http_complaint())
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
            throw HTTPServerError(
                description:
                    "cannot listen on \(configuration.host):\(configuration.port): \(reason)")
        }
        return daemon
    }

    private static let connectionChanged: MHD_NotifyConnectionCallback = {
        context, connection, slot, code in
        if code == cstore_http_started {
            HandlerContext.from(context).server?.add(connection, in: slot)
        } else {
            HandlerContext.from(context).leave(slot)
            HandlerContext.from(context).server?.releaseSlot()
        }
    }

    /// Called when a connection begins.
    private func add(
        _ connection: OpaquePointer?, in slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) {
        guard let connection, let slot else { return }
        let peer = cstore_http_peer_address(connection).flatMap { IPAddress($0) }
        let isCounted = peer.map { !proxies.contains($0) && !uncounted.contains($0) } ?? false
        let context = ConnectionContext(
            descriptor: cstore_http_socket(connection), counted: isCounted ? peer?.network : nil)
        slot.pointee = Unmanaged.passRetained(context).toOpaque()
        watch.add(context)
    }

    /// Who sends a request, and what it is called from now on.
    func sender(of connection: OpaquePointer) -> HTTPExchange.Sender {
        let peer = cstore_http_peer_address(connection).flatMap { IPAddress($0) }
        var identifier: String?
        if let peer, proxies.contains(peer),
            let given = MHD_lookup_connection_value(
                connection, cstore_http_header, "X-Request-ID"),
            RequestTrace.isPlain(given)
        {
            identifier = String(cString: given)
        }
        return HTTPExchange.Sender(
            peer: peer, proxies: proxies,
            trace: RequestTrace(id: identifier ?? identifiers.make()))
    }

    private static func withCString<Result>(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }

    // MARK: Slots

    /// libmicrohttpd 0.9.75 leaves a mutex locked where it gets a connection from elsewhere that is
    /// one too many, and waits for it for ever. So each of its threads may have some more than all
    /// of them are ever given.
    private static let spareConnections: UInt32 = 16

    /// Keeps a slot for one more client.
    ///
    /// - Returns: false where there is none.
    func reserveSlot() -> Bool {
        daemon.withLock { $0 != nil } && slots.take()
    }

    /// The client that a slot was kept for does not come, or has gone.
    func releaseSlot() {
        if slots.leave() { acceptor?.ring() }
    }

    /// Serves a client that a slot is kept for.
    private func add(_ descriptor: Int32, _ address: SocketAddress) {
        let isTaken = daemon.withLock { reference in
            guard let reference else {
                close(descriptor)
                return false
            }
            return reference.add(descriptor, address)
        }
        if !isTaken { releaseSlot() }
    }

    // MARK: Clients of other servers

    /// Serves a client whose socket another server has got and that a slot is kept for; only
    /// where nobody connects to this one.
    func adopt(_ socket: ClientSocket) {
        guard let descriptor = socket.take() else { return releaseSlot() }
        add(descriptor, socket.address)
    }

    // MARK: Exchanges

    func began(_ exchange: HTTPExchange) {
        exchanges.add()
        guard let running else { return }
        exchange.runningSlot = running.requests.begin(exchange.line(running.shown))
    }

    func ended(_ exchange: HTTPExchange) {
        if let slot = exchange.runningSlot.take() { running?.requests.end(slot) }
        if let socket = exchange.takeLingering() {
            // What is over TLS is closed by TLS.
            if !isTLS { shutdown(socket, Int32(SHUT_WR)) }
            lingering.take(socket)
        }
        exchanges.remove()
    }

    func suspend(
        _ exchange: HTTPExchange, until work: @escaping @Sendable () async -> HTTPResponse
    ) -> MHD_Result {
        guard suspended.add(exchange, hasBegun: true) else {
            return exchange.queue(stopping(exchange.unanswered(hasBegun: false)))
        }
        Task {
            let response = await RequestTrace.$current.withValue(exchange.sender.trace) {
                await work()
            }
            exchange.resume(with: response)
            suspended.remove(exchange)
        }
        return cstore_http_yes
    }

    /// Lets nothing of a request's body come until it is decided whether it may. The callback of
    /// the header is called once more then, and can still answer.
    func decide(
        about exchange: HTTPExchange, by work: @escaping @Sendable () async -> HTTPResponse?
    ) -> MHD_Result {
        exchange.enter(.admission)
        guard suspended.add(exchange, hasBegun: false) else {
            return exchange.refuse(stopping(exchange.unanswered(hasBegun: false)))
        }
        Task {
            let response = await RequestTrace.$current.withValue(exchange.sender.trace) {
                await work()
            }
            exchange.resume(with: response)
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

    /// Gives it a connection. libmicrohttpd closes what it does not take.
    ///
    /// - Returns: whether it has taken it.
    func add(_ descriptor: Int32, _ address: SocketAddress) -> Bool {
        address.withPointer { pointer in
            MHD_add_connection(daemon, descriptor, pointer, address.length)
        } == cstore_http_yes
    }
}
