/// The timeouts of requests, against clients that hold connections by sending slowly (slowloris). Who takes longer loses the connection: its place
/// is for others.
package struct RequestTimeouts: Sendable, Hashable {
    /// From the connection's beginning until the header of its first request is there. For further
    /// ones it counts from the moment at which a connection without traffic would be closed.
    package var header: Duration
    /// A body, or an answer, may be as slow as it likes so long.
    package var grace: Duration
    /// Bytes of a body, or of an answer, that have to go over the network each second behind the
    /// grace, averaged.
    package var bytesPerSecond: Int
    /// Between two looks at all connections.
    package var look: Duration
    /// A server that stops waits so long for further requests over connections that it has.
    package var farewell: Duration

    package init(
        header: Duration = .seconds(20), grace: Duration = .seconds(20),
        bytesPerSecond: Int = 1024, look: Duration = .seconds(1), farewell: Duration = .zero
    ) {
        self.header = header
        self.grace = grace
        self.bytesPerSecond = bytesPerSecond
        self.look = look
        self.farewell = farewell
    }

    package static let standard = RequestTimeouts()

    /// Bytes that must have gone over the network some time after the beginning.
    func demanded(after time: Duration) -> Int {
        max(0, Int((time - grace) / .seconds(1) * Double(bytesPerSecond)))
    }
}
