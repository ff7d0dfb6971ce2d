import CStoreHTTP
import Foundation
import Synchronization

/// Accepts connections at a listening socket, on a thread of its own.
///
/// libmicrohttpd 0.9.75 could do so itself, but not stop: `MHD_quiesce_daemon` and a thread that just
/// then has something to do both take the socket out of the thread's epoll set, and where the
/// thread was first, the function ends the process.
final class Acceptor: Sendable {
    /// What became of somebody who has connected.
    enum Result {
        case accepted(descriptor: Int32, SocketAddress)
        /// Nobody is there, or has gone again.
        case nobody
        /// Nobody can be accepted now: no descriptors, no memory, or somebody has shut the socket.
        case exhausted
    }

    private let listener: Int32
    /// Written to where the thread is to look at what has changed.
    private let wakeDescriptor: Int32
    private let isStopped = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    /// So many are accepted before anything else is looked at.
    private static let batch = 64
    /// How long a server that is out of descriptors waits before it tries again, milliseconds.
    private static let pause: Int32 = 50

    /// - Parameter listener: a socket that doesn't block; the caller closes it after `stop`.
    /// - Throws: `HTTPServerError` where there is no descriptor for it.
    init(_ listener: Int32) throws {
        self.listener = listener
        wakeDescriptor = cstore_http_wake_make()
        guard wakeDescriptor >= 0 else {
            throw HTTPServerError(
                description: "cannot accept connections: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(wakeDescriptor) }

    /// Begins.
    ///
    /// - Parameters:
    ///   - reserve: keeps a place for one connection; false where there is none: `ring` says when
    ///     to ask again.
    ///   - leave: gives the place back.
    ///   - add: takes the connection over.
    func start(
        reserve: @escaping @Sendable () -> Bool, leave: @escaping @Sendable () -> Void,
        add: @escaping @Sendable (Int32, SocketAddress) -> Void
    ) {
        let thread = Thread { [self] in
            var result = Result.nobody
            var isFull = false
            while wait(isFull: isFull, after: result) {
                (isFull, result) = (false, .nobody)
                for _ in 0..<Self.batch {
                    guard reserve() else {
                        isFull = true
                        break
                    }
                    result = SocketAddress.next(at: listener)
                    guard case .accepted(let descriptor, let address) = result else {
                        leave()
                        break
                    }
                    add(descriptor, address)
                }
            }
            ended.signal()
        }
        thread.name = "accept"
        thread.start()
    }

    /// Waits until somebody connects or `ring` is called.
    ///
    /// - Returns: false when it is stopped.
    private func wait(isFull: Bool, after result: Result) -> Bool {
        var isExhausted = false
        if case .exhausted = result { isExhausted = true }
        let events = isFull || isExhausted ? 0 : Int16(POLLIN)
        var descriptors = [
            pollfd(fd: listener, events: events, revents: 0),
            pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        // Somebody else may have shut the socket: an error is always reported, and says nothing new.
        if events == 0 { descriptors[0].fd = -1 }
        _ = poll(&descriptors, 2, isExhausted ? Self.pause : -1)
        if descriptors[1].revents != 0 { cstore_http_wake_clear(wakeDescriptor) }
        return !isStopped.load(ordering: .acquiring)
    }

    /// Lets the thread look at what has changed.
    func ring() { cstore_http_wake_send(wakeDescriptor) }

    /// Accepts nobody any more. Who is waiting at the socket goes on waiting.
    func stop() {
        if !isStopped.exchange(true, ordering: .acquiringAndReleasing) { ring() }
        ended.wait()
        // For the next one who stops it.
        ended.signal()
    }
}
