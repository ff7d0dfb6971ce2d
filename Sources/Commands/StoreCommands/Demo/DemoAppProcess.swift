import Foundation
import StoreKernel

/// This program once more, in a process of its own on the same terminal.
///
/// Foundation's `Process` puts its child into a process group of its own, which may not
/// read from the terminal.
enum DemoAppProcess {
    /// Runs it to its end.
    ///
    /// - Returns: the exit code, or 128 plus the number of the signal that ended it.
    static func run(arguments: [String], environment: [String: String]) async throws -> Int32 {
        var pid: pid_t = 0
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in words + variables { free(pointer) }
        }
        let result = posix_spawn(&pid, "/proc/self/exe", nil, nil, words, variables)
        guard result == 0 else {
            throw DemoFailure(
                description: "the app can't be started: \(String(cString: strerror(result)))")
        }
        let child = pid
        return try await BlockingPool.commands.run(leavesWhenCancelled: false) {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            return signal == 0 ? (status >> 8) & 0xff : 128 + signal
        }
    }
}
