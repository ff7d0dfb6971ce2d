import Foundation
import Synchronization

/// A line between a device and a store that lets a number of bytes through and then holds the
/// rest back until it is opened.
final class SlowLine: Sendable {
    let port: UInt16
    /// Nil once the line has ended: the number may be something else's by then.
    private let listener: Mutex<Int32?>
    private let traffic = Traffic()

    private final class Traffic: @unchecked Sendable {
        // Sendable: everything is read and written under the condition's lock.
        private let condition = NSCondition()
        private var limit = Int.max
        private var sent = 0
        private var isClosed = false
        private var isHolding = false
        private var running = 0
        private var waiting: CheckedContinuation<Void, Never>?

        var count: Int { condition.withLock { sent } }

        /// Connections that have not ended.
        var connections: Int { condition.withLock { running } }

        func began() { condition.withLock { running += 1 } }

        func ended() { condition.withLock { running -= 1 } }

        func hold(after bytes: Int) {
            condition.withLock { limit = sent + bytes }
        }

        func open() {
            condition.withLock {
                limit = .max
                isHolding = false
                condition.broadcast()
            }
        }

        func close() {
            condition.withLock {
                isClosed = true
                condition.broadcast()
            }
        }

        /// Waits until bytes may pass; false where the line is closed.
        func pass(_ bytes: Int) -> Bool {
            condition.withLock {
                while sent + bytes > limit, !isClosed {
                    isHolding = true
                    waiting?.resume()
                    waiting = nil
                    condition.wait()
                }
                sent += bytes
                return !isClosed
            }
        }

        /// Returns once something is held back.
        func held() async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    condition.withLock {
                        if isHolding || Task.isCancelled {
                            continuation.resume()
                        } else {
                            waiting = continuation
                        }
                    }
                }
            } onCancel: {
                condition.withLock {
                    waiting?.resume()
                    waiting = nil
                }
            }
        }
    }

    /// A line to a port of this machine.
    init(to server: UInt16) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(O_CLOEXEC), 0)
        self.listener = Mutex(listener)
        var address = Self.loopback(0)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                var length = size
                return bind(listener, name, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, name, &length) == 0
            }
        }
        guard listener >= 0, isBound else { throw Failure("there is no line to the store") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [listener, traffic] in
            while case let device = accept(listener, nil, nil), device >= 0 {
                Self.connect(device, to: server, traffic)
            }
            Glibc.close(listener)
        }
    }

    /// Bytes that the store has sent through.
    var count: Int { traffic.count }

    /// Lets so many more bytes through, and no others.
    func hold(after bytes: Int) { traffic.hold(after: bytes) }

    /// Connections that have not ended.
    var connections: Int { traffic.connections }

    /// Returns once bytes are held back.
    func held() async { await traffic.held() }

    /// Lets everything through.
    func open() { traffic.open() }

    /// Ends the line, if it has not ended yet.
    func close() {
        traffic.close()
        listener.withLock { listener in
            // Who accepts connections wakes up by it, and closes it.
            if let listener { shutdown(listener, Int32(SHUT_RDWR)) }
            listener = nil
        }
    }

    // MARK: Connections

    private static func connect(_ device: Int32, to port: UInt16, _ traffic: Traffic) {
        let store = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(O_CLOEXEC), 0)
        var address = loopback(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(store, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Glibc.close(store)
            Glibc.close(device)
            return
        }
        traffic.began()
        let ends = Ends(descriptors: (device, store)) { traffic.ended() }
        Thread.detachNewThread { ends.pump(from: device, to: store) { _ in true } }
        Thread.detachNewThread { ends.pump(from: store, to: device) { traffic.pass($0) } }
    }

    /// Both ends of a connection, which are closed when nothing is pumped any more.
    private final class Ends: Sendable {
        private let descriptors: (Int32, Int32)
        private let open = Mutex(2)
        private let ended: @Sendable () -> Void

        init(descriptors: (Int32, Int32), ended: @escaping @Sendable () -> Void) {
            self.descriptors = descriptors
            self.ended = ended
        }

        func pump(from source: Int32, to target: Int32, _ mayPass: (Int) -> Bool) {
            var buffer = [UInt8](repeating: 0, count: 1 << 14)
            while case let count = recv(source, &buffer, buffer.count, 0), count > 0,
                mayPass(count), Self.send(buffer[..<count], to: target)
            {}
            shutdown(descriptors.0, Int32(SHUT_RDWR))
            shutdown(descriptors.1, Int32(SHUT_RDWR))
            let isLast = open.withLock { open in
                open -= 1
                return open == 0
            }
            if isLast {
                Glibc.close(descriptors.0)
                Glibc.close(descriptors.1)
                ended()
            }
        }

        private static func send(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
