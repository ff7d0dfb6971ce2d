import Foundation
import Synchronization

/// A command that runs beside this process, on the same terminal, until it ends.
final class CommandProcess: Sendable {
    private let id: pid_t
    private let hasEnded = Mutex(false)

    /// Starts it.
    ///
    /// - Parameters:
    ///   - line: the program, looked for on the search path, and its arguments.
    ///   - outlastsTerminal: whether the program ignores SIGHUP, as a program that nohup starts does.
    /// - Throws: `CommandNotStarted`.
    init(
        _ line: [String], environment: [String: String], outlastsTerminal: Bool = false
    ) throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The command gets signals as if a shell had started it, whatever this process does with
        // them.
        var (usual, mask) = (sigset_t(), sigset_t())
        sigemptyset(&usual)
        for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&usual, number) }
        if !outlastsTerminal { sigaddset(&usual, SIGHUP) }
        sigemptyset(&mask)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        let words = line.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in words + variables { free(pointer) }
        }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, line[0], nil, &attributes, words, variables)
        guard code == 0 else { throw CommandNotStarted(command: line[0], code: code) }
        id = pid
    }

    /// Sends a signal, unless it has ended: its number may be another's by then.
    func send(_ signal: Int32) {
        hasEnded.withLock { hasEnded in
            if !hasEnded { kill(id, signal) }
        }
    }

    /// Waits for its end.
    ///
    /// - Returns: the exit code, or 128 plus the number of the signal that ended it, as a shell
    ///   has it.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                // It stays a number of this process's until it is waited for under the lock.
                var info = siginfo_t()
                while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                let status = hasEnded.withLock { hasEnded in
                    hasEnded = true
                    var status: Int32 = 0
                    while waitpid(id, &status, 0) < 0, errno == EINTR {}
                    return status
                }
                let signal = status & 0x7f
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xff : 128 + signal)
            }
        }
    }
}
