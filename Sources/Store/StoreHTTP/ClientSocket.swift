import CStoreHTTP
import Foundation
import Synchronization

/// The socket of a client, on its way from one server to another.
///
/// Owns the descriptor until somebody takes it; closes it otherwise.
package final class ClientSocket: Sendable {
    let address: SocketAddress
    private let descriptor: Mutex<Int32?>

    /// A duplicate of a connection's socket; nil where there can't be one now.
    init?(of connection: OpaquePointer) {
        guard let peer = cstore_http_peer_address(connection),
            let address = SocketAddress(peer)
        else { return nil }
        let copy = fcntl(cstore_http_socket(connection), F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.address = address
        self.descriptor = Mutex(copy)
    }

    deinit {
        if let descriptor = take() { close(descriptor) }
    }

    /// Hands the descriptor over to the caller, who closes it; nil the second time.
    func take() -> Int32? {
        descriptor.withLock { $0.take() }
    }

    /// Tells the client that what follows goes through its tunnel.
    ///
    /// - Returns: false where it does not take even this.
    func grant() -> Bool {
        let words = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
        return descriptor.withLock { descriptor in
            guard let descriptor else { return false }
            return send(descriptor, words, words.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                == words.count
        }
    }
}
