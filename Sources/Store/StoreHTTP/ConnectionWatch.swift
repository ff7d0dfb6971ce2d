import CStoreHTTP
import Foundation
import Synchronization

/// Why a server ended a connection.
package enum ConnectionEnd: Int, Sendable, CaseIterable {
    case slowHeader
    case slowBody
    case slowReader
    /// There are too many of this client.
    case tooMany
}

/// The connections of a server: how many there are, of whom, and which of them take too long.
final class ConnectionWatch: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: ConnectionContext] = [:]
        var counts: [IPAddress: Int] = [:]
        var opened = 0
        var ends: [ConnectionEnd: Int] = [:]
    }

    /// What a connection had sent, or received, when it was looked at first in a phase.
    private struct Sample {
        let mark: UInt64
        let bytes: UInt64
        let time: ContinuousClock.Instant
    }

    private let timeouts: RequestTimeouts
    private let idle: Duration
    private let limit: Int?
    private let state = Mutex(State())
    /// Only the looks use it, one after the other.
    private let samples = Mutex<[ObjectIdentifier: Sample]>([:])
    private let timer: Timer

    private struct Timer: @unchecked Sendable {
        // Sendable: sources of dispatch may be used from any thread.
        let source: any DispatchSourceTimer
    }

    /// - Parameters:
    ///   - idle: a connection without traffic is closed after that, by somebody else.
    ///   - limit: connections of one client; nil for as many as there are places.
    init(timeouts: RequestTimeouts, idle: Duration, limit: Int?) {
        self.timeouts = timeouts
        self.idle = idle
        self.limit = limit
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "connections"))
        timer = Timer(source: source)
        let interval = DispatchTimeInterval.milliseconds(
            max(1, Int(timeouts.look / .milliseconds(1))))
        source.schedule(deadline: .now() + interval, repeating: interval)
        source.setEventHandler { [weak self] in self?.look() }
        source.activate()
    }

    deinit { timer.source.cancel() }

    func end() { timer.source.cancel() }

    /// How many there are now, how many there were, and how many were ended.
    var metrics: (open: Int, opened: Int, ends: [ConnectionEnd: Int]) {
        state.withLock { ($0.connections.count, $0.opened, $0.ends) }
    }

    /// A connection begins; one too many of its client is ended at once.
    func add(_ context: ConnectionContext) {
        let isOver = state.withLock { state in
            state.connections[ObjectIdentifier(context)] = context
            state.opened += 1
            guard let client = context.counted, let limit else { return false }
            state.counts[client, default: 0] += 1
            guard state.counts[client, default: 0] > limit else { return false }
            state.ends[.tooMany, default: 0] += 1
            return true
        }
        if isOver { context.cut() }
    }

    func remove(_ context: ConnectionContext) {
        state.withLock { state in
            state.connections[ObjectIdentifier(context)] = nil
            if let client = context.counted, limit != nil, let count = state.counts[client] {
                state.counts[client] = count > 1 ? count - 1 : nil
            }
        }
    }

    private func look() {
        let connections = state.withLock { Array($0.connections.values) }
        let now = ContinuousClock.now
        samples.withLock { samples in
            var kept: [ObjectIdentifier: Sample] = [:]
            for context in connections {
                let key = ObjectIdentifier(context)
                var sample = samples[key]
                if let end = reason(to: context, at: now, &sample) {
                    // Its thread may need more than one look to end it.
                    context.cut { state.withLock { $0.ends[end, default: 0] += 1 } }
                    continue
                }
                kept[key] = sample
            }
            samples = kept
        }
    }

    /// Why a connection is to be ended; nil where it goes on.
    private func reason(
        to context: ConnectionContext, at now: ContinuousClock.Instant, _ sample: inout Sample?
    ) -> ConnectionEnd? {
        let (phase, since, mark) = context.phase
        let time = now - since
        switch phase {
        case .opening: return time > timeouts.header ? .slowHeader : nil
        case .resting: return time > idle + timeouts.header ? .slowHeader : nil
        case .working: return nil
        case .body, .answering: break
        }
        guard let traffic = context.traffic else { return nil }
        let bytes = phase == .body ? traffic.received : traffic.acknowledged
        guard let first = sample, first.mark == mark else {
            sample = Sample(mark: mark, bytes: bytes, time: now)
            return nil
        }
        let demanded = timeouts.demanded(after: now - first.time)
        guard bytes >= first.bytes, bytes - first.bytes < demanded else { return nil }
        return phase == .body ? .slowBody : .slowReader
    }
}
