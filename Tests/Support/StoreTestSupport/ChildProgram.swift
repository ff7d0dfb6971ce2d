import Foundation
import Synchronization

/// Runs programs with `posix_spawn`: Foundation's `Process` has crashed where many tests started
/// programs at once. No program outlives the process of the tests, however that ends.
package enum ChildProgram {
    /// Runs a program to its end.
    ///
    /// - Parameter environment: `nil` for this process's own.
    /// - Returns: the exit code, or 128 and the signal's number; what it wrote to both streams.
    /// - Throws: `POSIXError` where it could not be started.
    package static func run(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        in folder: URL? = nil
    ) async throws -> (status: Int32, output: Data) {
        try await onThread {
            try runBlocking(program, arguments, environment: environment, in: folder)
        }
    }

    /// Runs a program to its end on this thread, which must not be one that runs tasks.
    package static func runBlocking(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        in folder: URL? = nil
    ) throws -> (status: Int32, output: Data) {
        let output = try Pipe()
        let reader = FileHandle(fileDescriptor: output.reading, closeOnDealloc: true)
        defer { try? reader.close() }
        let child: pid_t
        do {
            defer { close(output.writing) }
            child = try start(
                line(program, arguments, in: folder), environment,
                streams: [nil, output.writing, output.writing])
        }
        let bytes = try reader.readToEnd() ?? Data()
        return (waitForEnd(of: child), bytes)
    }

    /// Held while a program is started: another one would inherit a pipe before it is marked.
    private static let launching = Mutex(())

    /// The two ends of a pipe, which no other program inherits.
    package struct Pipe {
        package let reading: Int32
        package let writing: Int32

        /// - Throws: `POSIXError` where the process has too many open files.
        package init() throws {
            (reading, writing) = try launching.withLock { _ in
                var ends: [Int32] = [-1, -1]
                guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                return (ends[0], ends[1])
            }
        }
    }

    /// The two ends of a terminal, which no other program inherits.
    package struct Terminal {
        /// Where somebody sits.
        package let customer: Int32
        /// What the program gets.
        package let program: Int32

        /// - Throws: `POSIXError` where the machine has no terminal left.
        package init(columns: UInt16 = 80) throws {
            (customer, program) = try launching.withLock { _ in
                var (customer, program): (Int32, Int32) = (-1, -1)
                var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
                guard openpty(&customer, &program, nil, nil, &size) == 0 else {
                    throw POSIXError(.ENXIO)
                }
                for end in [customer, program] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                return (customer, program)
            }
        }
    }

    /// Starts a program that is killed when the calling thread ends, so that none is left of a
    /// test process that was killed.
    ///
    /// - Parameter streams: its standard input, output and error; `nil` is `/dev/null`.
    /// - Throws: `POSIXError` where it could not be started.
    package static func start(
        _ line: [String], _ environment: [String: String]?, streams: [Int32?]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            if let stream {
                posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            }
        }
        // Threads that run tasks keep all signals to themselves, and a program would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let bound = ["/usr/bin/setpriv", "--pdeathsig=KILL", "--"] + line
        let words = bound.map { strdup($0) } + [nil]
        let settings =
            (environment ?? ProcessInfo.processInfo.environment)
            .map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var child: pid_t = 0
        let failure = launching.withLock { _ in
            posix_spawn(&child, bound[0], &actions, &attributes, words, settings)
        }
        guard failure == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO)
        }
        return child
    }

    /// Blocks until a program has ended.
    ///
    /// - Returns: the exit code, or 128 and the signal's number.
    package static func waitForEnd(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }

    private static func line(
        _ program: String, _ arguments: [String], in folder: URL?
    ) throws -> [String] {
        // As `posix_spawn` says it of a program: setpriv would only exit with 127.
        guard access(program, X_OK) == 0 else { throw POSIXError(.ENOENT) }
        let line = [program] + arguments
        guard let folder else { return line }
        return ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path] + line
    }
}
