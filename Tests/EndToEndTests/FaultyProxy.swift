import Foundation
import StoreTestSupport
import Synchronization

/// Something between app and store that cuts, resets, slows down and corrupts connections
/// over which content goes, as a plan says.
final class FaultyProxy: Sendable {
    /// What happens to a connection, counted in bytes from the store.
    enum Fault: Sendable, Hashable {
        case cut(after: Int)
        case reset(after: Int)
        case corrupt(at: Int)
        /// The kernel lets so many bytes through in a second.
        case slow(bytesPerSecond: UInt32)
    }

    private struct State {
        var target: UInt16
        var next: @Sendable () -> Fault?
        var happened = 0
        /// Bytes that came from the store.
        var carried = 0
        var isStopped = false
        /// Why connections are taken no more, though nobody has stopped it.
        var failure: Int32?
    }

    let port: UInt16
    private let listener: Int32
    private let state: Mutex<State>

    /// Listens on a free port of the loopback, and passes everything on to another one.
    init(to target: UInt16) throws {
        state = Mutex(State(target: target, next: { nil }))
        let socket = try LoopbackListener()
        listener = socket.descriptor
        port = socket.port
        Thread.detachNewThread { [self] in accept() }
    }

    /// Takes no more connections.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            // What has failed is closed, and its number may be another one's.
            if state.failure == nil { shutdown(listener, Int32(SHUT_RDWR)) }
        }
    }

    /// Whether it takes connections: what it ended with, what its listening socket is, and how a
    /// connection goes.
    var condition: String {
        let failure = state.withLock { $0.failure.map { String(cString: strerror($0)) } }
        var (isListening, length) = (Int32(0), socklen_t(4))
        let isSocket = getsockopt(listener, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0
        let kind = isSocket ? "listens: \(isListening)" : String(cString: strerror(errno))
        let probe = Self.socket()
        defer { close(probe) }
        let connected =
            Self.connect(probe, port: port) ? "accepted" : String(cString: strerror(errno))
        return
            "\(failure ?? "has not failed"), port \(port), socket \(kind), a connection: \(connected)"
    }

    /// What happens to each connection that content goes over, from now on.
    func plan(_ next: @escaping @Sendable () -> Fault?) {
        state.withLock { $0.next = next }
    }

    /// Faults that have happened since the last time.
    func takeHappened() -> Int {
        state.withLock { state in
            defer { state.happened = 0 }
            return state.happened
        }
    }

    /// Bytes that have come from the store since the last time, headers included.
    func takeCarried() -> Int {
        state.withLock { state in
            defer { state.carried = 0 }
            return state.carried
        }
    }

    private func accept() {
        defer { close(listener) }
        while true {
            let client = Glibc.accept(listener, nil, nil)
            let reason = errno
            guard client >= 0 else {
                let isOver = state.withLock { state in
                    if state.isStopped { return true }
                    // A client that has gone again is no reason.
                    guard [EBADF, EINVAL, ENOTSOCK].contains(reason) else { return false }
                    state.failure = reason
                    return true
                }
                if isOver { return }
                continue
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            let server = Self.socket()
            guard Self.connect(server, port: state.withLock { $0.target }) else {
                close(client)
                close(server)
                continue
            }
            let connection = Connection(client: client, server: server, proxy: self)
            Thread.detachNewThread { connection.carryRequests() }
            Thread.detachNewThread { connection.carryAnswers() }
        }
    }

    /// One that no program inherits: it would stay open when it is closed here.
    private static func socket() -> Int32 {
        Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func connect(_ descriptor: Int32, port: UInt16) -> Bool {
        var address = address(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    fileprivate func fault() -> Fault? { state.withLock { $0.next }() }
    fileprivate func happened() { state.withLock { $0.happened += 1 } }
    fileprivate func carry(_ count: Int) { state.withLock { $0.carried += count } }
}

/// Two sockets and what goes from one to the other.
private final class Connection: Sendable {
    private struct State {
        /// Whether content was asked for; what was sent before counts for no fault.
        var isForContent = false
        var fault: FaultyProxy.Fault?
        var sent = 0
        var open = 2
    }

    private let client: Int32
    private let server: Int32
    private let proxy: FaultyProxy
    private let state = Mutex(State())

    init(client: Int32, server: Int32, proxy: FaultyProxy) {
        self.client = client
        self.server = server
        self.proxy = proxy
    }

    func carryRequests() {
        carry(from: client, to: server) { bytes in
            let isContent = Data(bytes).range(of: Data("/content/".utf8)) != nil
            state.withLock { state in
                guard isContent, !state.isForContent else { return }
                state.isForContent = true
                state.fault = proxy.fault()
                if case .slow(var rate) = state.fault {
                    // SO_MAX_PACING_RATE: the kernel does the waiting.
                    setsockopt(client, SOL_SOCKET, 47, &rate, 4)
                    proxy.happened()
                }
            }
            return bytes.count
        }
    }

    func carryAnswers() {
        carry(from: server, to: client) { bytes in
            proxy.carry(bytes.count)
            return state.withLock { state in
                guard state.isForContent else { return bytes.count }
                let before = state.sent
                state.sent += bytes.count
                switch state.fault {
                case .cut(let offset) where state.sent >= offset,
                    .reset(let offset) where state.sent >= offset:
                    if case .reset = state.fault {
                        var linger = linger(l_onoff: 1, l_linger: 0)
                        setsockopt(
                            client, SOL_SOCKET, SO_LINGER, &linger,
                            socklen_t(MemoryLayout<linger>.size))
                    }
                    proxy.happened()
                    return max(0, offset - before)
                case .corrupt(let offset) where (before..<state.sent).contains(offset):
                    bytes[offset - before] ^= 0x20
                    proxy.happened()
                default: break
                }
                return bytes.count
            }
        }
    }

    /// Passes bytes on until one side ends; `change` says how many of them before it is cut.
    private func carry(
        from source: Int32, to sink: Int32, _ change: (UnsafeMutableRawBufferPointer) -> Int
    ) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
        defer { buffer.deallocate() }
        reading: while case let count = read(source, buffer.baseAddress, buffer.count), count > 0 {
            let passed = change(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            var done = 0
            while done < passed {
                let written = send(
                    sink, buffer.baseAddress! + done, passed - done, Int32(MSG_NOSIGNAL))
                guard written > 0 else { break reading }
                done += written
            }
            guard passed == count else { break }
        }
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
        let isLast = state.withLock { state in
            state.open -= 1
            return state.open == 0
        }
        if isLast {
            close(client)
            close(server)
        }
    }
}
