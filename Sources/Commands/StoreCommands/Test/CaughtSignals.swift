@preconcurrency import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM, which end the command that this process runs, and then this process.
final class CaughtSignals: Sendable {
    private struct State {
        var signals: [Int32] = []
        var process: CommandProcess?
    }

    private let state = Mutex(State())
    /// The process that has started this one.
    private let parent = getppid()
    private let sources: [any DispatchSourceSignal]

    /// Signals are caught from now on.
    init() {
        // Whoever starts this process with nohup wants it to outlast the terminal.
        let numbers = [SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
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
        while first == nil, getppid() == parent { try? await Task.sleep(for: Self.look) }
    }

    /// Returns when the process has ended that has started this one.
    ///
    /// - Throws: `CancellationError`.
    func untilParentEnds() async throws {
        while getppid() == parent { try await Task.sleep(for: Self.look) }
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
            state.signals.append(number)
            return (state.signals.count, state.process)
        }
        guard let process else { return }
        if count > 1 { return process.send(SIGKILL) }
        // Whoever types Control-C sends it to the command as well.
        let isTyped = number == SIGINT && tcgetpgrp(STDIN_FILENO) == getpgrp()
        if !isTyped { process.send(number) }
    }
}
