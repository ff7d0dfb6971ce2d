import CStoreHTTP
import Foundation
import Synchronization

/// One request and its answer.
final class HTTPExchange: @unchecked Sendable {
    // Sendable: libmicrohttpd calls back for one connection from one thread at a time,
    // and never while the connection is suspended; what the task of a suspended request
    // leaves behind is behind the lock of `waiting`.
    /// As much of a body of unknown length is read beyond its limit.
    private static let passedOver = 4 << 20

    /// Who sends a request, and what it is called.
    struct Sender {
        let peer: IPAddress?
        let proxies: AddressSet
        let trace: RequestTrace
    }

    /// What a request is for.
    struct Target {
        let method: String
        let path: String
        /// Whether the client asks for a tunnel, and there is one.
        let isForTunnel: Bool
        /// The answer, where it was found before the body.
        let answer: HTTPResponse?
    }

    private let connection: OpaquePointer
    let target: Target
    private let isTLS: Bool
    let sender: Sender
    /// Header fields that all answers of the server have.
    private let common: HTTPHeaders
    private let connectionContext: ConnectionContext?
    private let start = ContinuousClock.now
    private let waiting = Mutex(Waiting())
    private var body = Data()
    private let spool: BodySpool?
    private let quota: (limit: Int, lane: BodySpool.Lane)?
    private var bodyFile: AnonymousFile?
    private var fileStart = ContinuousClock.now
    private var received = 0
    private var status = 0
    private var sent = 0
    private var lingering: Int32 = -1
    /// Where the server has written down that the request is being worked on.
    var runningSlot: Int?
    private(set) var state = ExchangeState.header

    /// - Parameters:
    ///   - common: header fields that the answer has, whatever it is.
    ///   - spool: takes the body, instead of memory.
    ///   - quota: how many bytes of it, and who sends them; nil keeps it in memory.
    init(
        connection: OpaquePointer, target: Target, sender: Sender, isTLS: Bool,
        common: HTTPHeaders, spool: BodySpool?, quota: (limit: Int, lane: BodySpool.Lane)?
    ) {
        self.connection = connection
        self.sender = sender
        self.common = common
        self.connectionContext = ConnectionContext.of(connection)
        self.target = target
        self.isTLS = isTLS
        self.spool = spool
        self.quota = quota
    }

    deinit {
        if lingering >= 0 { close(lingering) }
    }

    var path: String { target.path }

    /// Goes over to another state, and says what the connection does from now on. Where it can't, it
    /// stays.
    func enter(_ next: ExchangeState) {
        guard state.leads(to: next) else { return }
        if let phase = next.phase, phase != state.phase { connectionContext?.enter(phase) }
        state = next
    }

    /// The answer is sent.
    func rest() {
        endSpooling()
        connectionContext?.enter(.resting)
    }

    /// Makes the file for a body that goes to disk as a whole.
    ///
    /// - Returns: false where there can't be one now.
    func beginSpooling() -> Bool {
        guard let spool, let quota, quota.lane == .admitted else { return true }
        bodyFile = spool.begin(quota.lane)
        return bodyFile != nil
    }

    /// The request is over; whoever still reads the file goes on to have it.
    func endSpooling() {
        if bodyFile.take() != nil, let quota { spool?.end(quota.lane) }
    }

    /// Moves a body to disk that does not stay in memory with its next bytes.
    private func outgrowMemory(by count: Int) {
        guard let spool, let quota, case .open(let memory) = quota.lane, bodyFile == nil,
            body.count + count > memory
        else { return }
        bodyFile = spool.begin(quota.lane)
        fileStart = .now
        keep(body)
        body = Data()
    }

    /// Puts a piece of the body on disk, where there is a file for it and room.
    private func keep(_ bytes: some ContiguousBytes) {
        do {
            guard let bodyFile else { return enter(.body(.failed)) }
            try bytes.withUnsafeBytes { try bodyFile.append($0) }
        } catch {
            enter(.body(.failed))
        }
    }

    /// The `Content-Length` of the request; 0 where there is none.
    var announcedLength: Int { Self.announcedLength(of: connection) ?? 0 }

    /// The `Content-Length` of a connection's request; nil where there is none, or the body comes
    /// in another way.
    static func announcedLength(of connection: OpaquePointer) -> Int? {
        guard
            MHD_lookup_connection_value(connection, cstore_http_header, "Transfer-Encoding") == nil
        else { return nil }
        return MHD_lookup_connection_value(connection, cstore_http_header, "Content-Length")
            .flatMap { Int(String(cString: $0)) }
    }

    /// Whether the body may become larger than what is taken from everyone.
    var needsAdmission: Bool {
        spool != nil || announcedLength > Self.freeBytes
            || MHD_lookup_connection_value(connection, cstore_http_header, "Transfer-Encoding")
                != nil
    }

    /// The largest body of the request, in bytes.
    func limit(_ usual: Int) -> Int { quota?.limit ?? usual }

    /// Takes a piece of the body.
    ///
    /// What is over the limit is passed over, so that the sender gets an answer.
    ///
    /// - Returns: false where so much was passed over, or it takes so long, that the connection is
    ///   to be closed.
    func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        received += bytes.count
        guard received <= self.limit(limit) else {
            enter(.body(.tooLarge))
            body = Data()
            endSpooling()
            return received <= self.limit(limit) + Self.passedOver
        }
        if state == .body(.kept) { outgrowMemory(by: bytes.count) }
        guard state == .body(.kept) else { return true }
        if bodyFile != nil {
            if let spool, let quota, spool.isOver(quota.lane, since: fileStart) { return false }
            keep(bytes)
            return true
        }
        // All at once: growing piece by piece would copy large bodies again and again.
        if body.isEmpty { body.reserveCapacity(max(0, min(announcedLength, limit))) }
        body.append(contentsOf: bytes)
        return true
    }

    func request() -> HTTPRequest {
        var request = HTTPRequest(
            method: target.method, path: path, query: values(of: cstore_http_query),
            headers: HTTPHeaders(values(of: cstore_http_header)), body: body)
        request.peer = sender.peer
        request.proxies = sender.proxies
        request.trace = sender.trace
        request.bodyFile = bodyFile
        request.isTLS = isTLS
        return request
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

    /// Goes on with an answer, or with the body. Only the first one counts: the connection may be
    /// gone when a second one comes.
    ///
    /// - Parameter response: nil where the body may come.
    func resume(with response: HTTPResponse?) {
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

    /// Answers before the body was read; the connection is of no use afterwards, but what is
    /// still on its way has to be read.
    func refuse(_ response: HTTPResponse) -> MHD_Result {
        let socket = cstore_http_socket(connection)
        if socket >= 0 { lingering = fcntl(socket, F_DUPFD_CLOEXEC, 0) }
        var response = response
        response.headers["Connection"] = "close"
        return queue(response)
    }

    /// Puts the client's socket aside, to go into a tunnel when this connection has ended.
    ///
    /// - Returns: false where there is no room for it.
    func enter(_ tunnel: Tunnel) -> Bool {
        guard let context = connectionContext else { return false }
        context.server = tunnel.reserve()
        guard context.server != nil else { return false }
        context.socket = ClientSocket(of: connection)
        if context.socket != nil { status = 200 }
        return context.socket != nil
    }

    /// A descriptor of its own of a socket that has to be read to its end; only once.
    func takeLingering() -> Int32? {
        defer { lingering = -1 }
        return lingering >= 0 ? lingering : nil
    }

    /// Answers. The room for the body is free from now on: a client may take its time to read.
    func queue(_ response: HTTPResponse) -> MHD_Result {
        endSpooling()
        enter(.answer)
        status = response.status
        let made: OpaquePointer?
        switch response.body {
        case .data(let data):
            sent = data.count
            made = data.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                    cstore_http_copy)
            }
        case .file(let slice):
            guard let descriptor = slice.take() else { return cstore_http_no }
            sent = Int(slice.length)
            made = MHD_create_response_from_fd_at_offset64(
                slice.length, descriptor, slice.offset)
            if made == nil { close(descriptor) }
        }
        guard let made else { return cstore_http_no }
        defer { MHD_destroy_response(made) }
        if target.method == "HEAD" { sent = 0 }
        MHD_add_response_header(made, "X-Request-ID", sender.trace.id)
        for headers in [response.headers, common] {
            for (name, value) in headers.fields {
                guard MHD_add_response_header(made, name, value) == cstore_http_yes else {
                    return cstore_http_no
                }
            }
        }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }

    /// The request as a line: its identifier, method and path.
    func line(_ shown: (String) -> String) -> String {
        "\(sender.trace.id) \(target.method) \(shown(path))"
    }

    func unanswered(hasBegun: Bool) -> HTTPServer.Unanswered {
        HTTPServer.Unanswered(method: target.method, path: path, hasBegun: hasBegun)
    }

    func record() -> HTTPServer.Record {
        HTTPServer.Record(
            method: target.method, path: path, status: status,
            duration: ContinuousClock.now - start,
            trace: sender.trace, received: received, sent: sent)
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

/// How many requests are between their first line and the end of their answer.
final class ExchangeCount: Sendable {
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
final class SuspendedExchanges: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: (exchange: HTTPExchange, hasBegun: Bool)] = [:]
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Suspends the exchange's connection; false where none may be suspended any more.
    ///
    /// - Parameter hasBegun: whether what it asks for is done meanwhile.
    func add(_ exchange: HTTPExchange, hasBegun: Bool) -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            exchange.suspend()
            state.exchanges[ObjectIdentifier(exchange)] = (exchange, hasBegun)
            return true
        }
    }

    func remove(_ exchange: HTTPExchange) {
        _ = state.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Answers what is suspended; nothing can be suspended afterwards.
    ///
    /// - Returns: whether there was any.
    func end(with response: (HTTPServer.Unanswered) -> HTTPResponse) -> Bool {
        let left = state.withLock { state in
            state.isEnded = true
            return state.exchanges.values.map { $0 }
        }
        for (exchange, hasBegun) in left {
            exchange.resume(with: response(exchange.unanswered(hasBegun: hasBegun)))
        }
        return !left.isEmpty
    }
}
