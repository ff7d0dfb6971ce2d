/// Wakes whoever does some work; signals that nobody has heard yet count once.
package final class WakeSignal: Sendable {
    package let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (signals, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    package func send() {
        continuation.yield()
    }
}
