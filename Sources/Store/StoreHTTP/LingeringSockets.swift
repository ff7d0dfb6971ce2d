import Foundation
import Synchronization

/// Connections that were answered before their request's body was read.
///
/// A socket that is closed while bytes of the other side wait in it resets the connection, and a
/// browser that is still sending then drops an answer that is not an error, such as the way to
/// the sign-in page. So what comes is thrown away for a while, until the sender has read the
/// answer and closes.
final class LingeringSockets: Sendable {
    /// At most so many bytes are thrown away for one connection.
    private static let byteLimit = 64 << 20
    /// For at most so many seconds.
    private static let secondLimit = 10
    /// At most so many connections at a time; further ones are closed at once.
    private static let countLimit = 64

    private struct Source: @unchecked Sendable {
        // Sendable: whoever finds it in the state only cancels it, and
        // dispatch_source_cancel(3) may be called from any thread, before activation too.
        let source: any DispatchSourceRead
    }

    private struct State {
        var sources: [Int: Source] = [:]
        var lastNumber = 0
        var isEnded = false

        /// - Returns: what the socket is ended by; nil where there is no room for it.
        mutating func add(_ source: Source) -> Int? {
            guard !isEnded, sources.count < countLimit else { return nil }
            lastNumber += 1
            sources[lastNumber] = source
            return lastNumber
        }
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "lingering sockets")

    /// Reads what still comes over a socket, whose other descriptor may be closed meanwhile.
    ///
    /// - Parameter descriptor: a descriptor of its own of a socket that doesn't block; closed in
    ///   the end.
    func take(_ descriptor: Int32) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
        let number = state.withLock { [added = Source(source: source)] in $0.add(added) }
        if let number {
            let left = Mutex(Self.byteLimit)
            source.setEventHandler { [weak self] in
                let rest = Self.discard(from: descriptor, atMost: left.withLock(\.self))
                left.withLock { $0 = rest ?? 0 }
                if rest == nil { self?.end(number) }
            }
            queue.asyncAfter(deadline: .now() + .seconds(Self.secondLimit)) { [weak self] in
                self?.end(number)
            }
        } else {
            source.cancel()
        }
        source.activate()
    }

    /// Closes all of them.
    func end() {
        let left = state.withLock { state in
            state.isEnded = true
            defer { state.sources = [:] }
            return Array(state.sources.values)
        }
        for added in left { added.source.cancel() }
    }

    private func end(_ number: Int) {
        state.withLock { $0.sources.removeValue(forKey: number) }?.source.cancel()
    }

    /// Reads what there is.
    ///
    /// - Returns: how many bytes may still come; nil where the other side has closed, or has sent
    ///   too much.
    private static func discard(from descriptor: Int32, atMost limit: Int) -> Int? {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            var left = limit
            while left > 0 {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                if count < 0 { return errno == EAGAIN || errno == EINTR ? left : nil }
                guard count > 0 else { return nil }
                left -= count
            }
            return nil
        }
    }
}
