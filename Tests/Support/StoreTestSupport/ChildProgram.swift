import Foundation
import Synchronization

/// Runs a program to its end with `posix_spawn`: Foundation's `Process` has crashed where many
/// tests started programs at once.
package enum ChildProgram {
    /// - Parameter environment: nil for this process's own.
    /// - Returns: the exit code, or 128 and the signal's number; what it wrote to both streams.
    /// - Throws: `POSIXError` where it could not be started.
    package static func run(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        in folder: URL? = nil
    ) throws -> (status: Int32, output: Data) {
        let (child, output) = try launching.withLock { _ in
            try start(program, arguments, environment, in: folder)
        }
        let reader = FileHandle(fileDescriptor: output, closeOnDealloc: true)
        defer { try? reader.close() }
        let bytes = try reader.readToEnd() ?? Data()
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return (signal == 0 ? status >> 8 & 0xff : 128 + signal, bytes)
    }

    /// Held while a program is started: another one would inherit the pipe before it is marked.
    package static let launching = Mutex(())

    /// Starts a program; gives its number, and the end of a pipe that reads what it writes.
    private static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String]?,
        in folder: URL?
    ) throws -> (child: pid_t, output: Int32) {
        var ends: [Int32] = [-1, -1]
        try check(pipe(&ends) == 0 ? 0 : errno)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        var line = [program] + arguments
        if let folder { line = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path] + line }
        let words = line.map { strdup($0) } + [nil]
        let settings =
            (environment ?? ProcessInfo.processInfo.environment)
            .map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, line[0], &actions, nil, words, settings)
        close(ends[1])
        if failure != 0 { close(ends[0]) }
        try check(failure)
        return (child, ends[0])
    }

    private static func check(_ code: Int32) throws {
        guard code != 0 else { return }
        throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
}
