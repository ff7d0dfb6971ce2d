import CStoreHTTP
import Foundation
import Synchronization

/// What stands beside a connection from its beginning to its end.
final class ConnectionContext: @unchecked Sendable {
    // Sendable: libmicrohttpd calls back for one connection from one thread at a time, and only
    // its callbacks touch the two variables of tunnels; the rest is behind locks, or atomic.

    /// What a connection is doing.
    enum Phase: UInt64 {
        /// The header of its first request is on its way.
        case opening
        /// An answer is sent, and no other request is there.
        case resting
        /// A body is on its way.
        case body
        /// The store has to do something.
        case working
        /// An answer is on its way.
        case answering
    }

    /// Keeps a place in a tunnel for the client; nil for one who does not ask for one.
    var server: HTTPServer?
    /// Goes into the tunnel as soon as the connection has ended.
    var socket: ClientSocket?

    let start = ContinuousClock.now
    /// By which connections of one client are counted; nil where they are not.
    let counted: IPAddress?
    /// The phase in the last three bits, and before them when it began: microseconds from `start`.
    private let word = Atomic<UInt64>(Phase.opening.rawValue)
    private let isCut = Atomic(false)
    /// Nil as soon as libmicrohttpd closes it.
    private let descriptor: Mutex<Int32?>

    init(descriptor: Int32, counted: IPAddress?) {
        self.descriptor = Mutex(descriptor >= 0 ? descriptor : nil)
        self.counted = counted
    }

    static func of(_ connection: OpaquePointer) -> ConnectionContext? {
        cstore_http_socket_context(connection).map {
            Unmanaged<ConnectionContext>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// The phase, when it began, and what tells it from all others of the connection.
    var phase: (Phase, since: ContinuousClock.Instant, mark: UInt64) {
        let word = word.load(ordering: .relaxed)
        return (
            Phase(rawValue: word & 7) ?? .working,
            start + .microseconds(Int64(word >> 3)), word
        )
    }

    func enter(_ phase: Phase) {
        let time = (ContinuousClock.now - start) / .microseconds(1)
        word.store(UInt64(time) << 3 | phase.rawValue, ordering: .relaxed)
    }

    /// Ends the connection from outside of its thread, which hears of it from its socket.
    ///
    /// - Parameter count: called before the client hears of the end; not called where the
    ///   connection was ended before.
    func cut(count: () -> Void = {}) {
        guard !isCut.exchange(true, ordering: .relaxed) else { return }
        count()
        descriptor.withLock { if let descriptor = $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    /// Bytes that have come over the network, and those whose arrival the client has confirmed;
    /// nil where the system does not tell, or the connection has ended.
    var traffic: (received: UInt64, acknowledged: UInt64)? {
        descriptor.withLock { descriptor in
            guard let descriptor else { return nil }
            var (received, acknowledged): (UInt64, UInt64) = (0, 0)
            let isKnown = cstore_http_traffic(descriptor, &received, &acknowledged)
            return isKnown == 1 ? (received, acknowledged) : nil
        }
    }

    /// Its socket is about to be closed; its number may be another's then.
    func left() {
        descriptor.withLock { $0 = nil }
        guard let server else { return }
        guard let socket, socket.grant() else { return server.releaseSlot() }
        server.adopt(socket)
    }
}
