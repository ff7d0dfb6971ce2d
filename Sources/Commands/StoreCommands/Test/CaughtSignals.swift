@preconcurrency import Dispatch
import Foundation
import Synchronization

/// SIGINT, SIGTERM and SIGHUP, which end the command that this process runs, and then this process.
final class CaughtSignals: Sendable {
    private struct State {
        var signals: [Int32] = []
        var process: CommandProcess?
    }

    private let state = Mutex(State())
    /// The process that has started this one.
    private let parent = getppid()
    private let sources: [any DispatchSourceSignal]
    /// Whether this process and its command are to outlast the terminal and the process that has started
    /// this one, as with nohup.
    let isDetached: Bool

    /// Signals are caught from now on.
    init() {
        isDetached = Self.isIgnored(SIGHUP)
        let numbers = [SIGINT, SIGTERM] + (isDetached ? [] : [SIGHUP])
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for (source, number) in zip(sources, numbers) {
            source.setEventHandler { [weak self] in self?.caught(number) }
            source.resume()
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let before = signal(number, SIG_IGN)
        let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        if !isIgnored { signal(number, before) }
        return isIgnored
    }

    /// The first one that came; nil while there was none.
    var first: Int32? { state.withLock { $0.signals.first } }

    /// The process that has started this one is looked for so often.
    private static let look: Duration = .milliseconds(200)

    /// Returns with the first signal, or when the process has ended that has started this one.
    func untilFirst() async {
        while first == nil, isDetached || getppid() == parent {
            try? await Task.sleep(for: Self.look)
        }
    }

    /// Returns when the process has ended that has started this one, unless this one is to outlast it.
    ///
    /// - Throws: `CancellationError`.
    func untilParentEnds() async throws {
        while isDetached || getppid() == parent { try await Task.sleep(for: Self.look) }
    }

    /// Hands over those that come, and those that came, to a command.
    func forward(to process: CommandProcess) {
        let signals = state.withLock { state in
            state.process = process
            return state.signals
        }
        for signal in signals { process.send(signal) }
    }

    private func caught(_ number: Int32) {
        let (count, process) = state.withLock { state in
            // The shell and the kernel both tell of a terminal that is closed.
            if number != SIGHUP || !state.signals.contains(SIGHUP) { state.signals.append(number) }
            return (state.signals.count, state.process)
        }
        guard let process else { return }
        if count > 1 { return process.send(SIGKILL) }
        // Whoever types Control-C sends it to the command as well.
        let isTyped = number == SIGINT && tcgetpgrp(STDIN_FILENO) == getpgrp()
        if !isTyped { process.send(number) }
    }
}
