import Foundation
import Synchronization

/// Programs that end by themselves, or when they are told to.
enum Programs {
    /// Where the build puts the samples: beside the tests.
    static let folder: URL = URL(fileURLWithPath: "/proc/self/exe")
        .resolvingSymlinksInPath().deletingLastPathComponent()

    /// The folder `Examples`.
    static let examples: URL = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The store: `$OPENSTORE`, or the one that the main package has built.
    static let openstore: URL =
        ProcessInfo.processInfo.environment["OPENSTORE"].map { URL(fileURLWithPath: $0) }
        ?? examples.deletingLastPathComponent().appendingPathComponent(".build/debug/openstore")

    /// Runs a program without a terminal to its end.
    static func run(
        _ program: URL, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> (code: Int32, output: String, errors: String) {
        let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (child, output, errors) = try Self.launching.withLock { _ in
            let (output, errors) = (try Pipes(), try Pipes())
            defer { for end in [output.writing, errors.writing] { close(end) } }
            let child = try spawn(program, arguments, settings) { actions in
                posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
                posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
                posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
            }
            return (child, output.reading, errors.reading)
        }
        return try await withTaskCancellationHandler {
            try await result(of: child, output, errors)
        } onCancel: {
            // A program that hangs must not keep the test from ending.
            kill(child, SIGKILL)
        }
    }

    private static func result(
        of child: pid_t, _ output: Int32, _ errors: Int32
    ) async throws -> (code: Int32, output: String, errors: String) {
        async let written = onThread { text(of: output) }
        async let problems = onThread { text(of: errors) }
        async let code = onThread { end(of: child) }
        return (try await code, try await written, try await problems)
    }

    /// Starts a program whose output can be read.
    static func start(
        _ program: URL, _ arguments: [String]
    ) throws -> (child: pid_t, output: FileHandle) {
        try launching.withLock { _ in
            let output = try Pipes()
            defer { close(output.writing) }
            let settings = ProcessInfo.processInfo.environment
            let child = try spawn(program, arguments, settings) { actions in
                posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
                posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            }
            return (child, FileHandle(fileDescriptor: output.reading, closeOnDealloc: true))
        }
    }

    /// Starts a program on a terminal, in a session of its own: the first terminal that the
    /// leader of a session opens becomes the session's.
    static func start(
        _ program: URL, _ arguments: [String], terminal: String, environment: [String: String]
    ) throws -> pid_t {
        try launching.withLock { _ in
            try spawn(program, arguments, environment, flags: setSession) { actions in
                posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
                posix_spawn_file_actions_adddup2(&actions, 0, 1)
                posix_spawn_file_actions_adddup2(&actions, 0, 2)
            }
        }
    }

    /// The command that starts a program where purchases are switched off: it sees a copy of
    /// `/etc`, in a folder, that has the administrator's file.
    static func restricted(
        _ program: URL, _ arguments: [String], in folder: URL
    ) -> (program: URL, arguments: [String]) {
        let script = """
            mkdir -p "$1" && cp -r /etc/. "$1" 2>/dev/null
            mkdir -p "$1/openstore" && cd "$1/openstore" || exit 1
            echo '{ "inAppPurchases": "denied" }' > restrictions.json
            chmod 644 restrictions.json
            mount --bind "$1" /etc && cd / && shift && exec "$@"
            """
        return (
            URL(fileURLWithPath: "/usr/bin/unshare"),
            ["-rm", "sh", "-c", script, "sh", folder.path, program.path] + arguments
        )
    }

    /// Copies a program: one that is open for writing, here or in a child, can't be started.
    static func copy(_ program: URL, to copy: URL) throws {
        try launching.withLock { _ in
            try FileManager.default.copyItem(at: program, to: copy)
        }
    }

    /// Starts a program with `posix_spawn`: Foundation's `Process` crashes where other threads
    /// open files meanwhile.
    ///
    /// - Parameter connect: says what its streams are.
    private static func spawn(
        _ program: URL, _ arguments: [String], _ environment: [String: String],
        flags: Int16 = 0, connect: (inout posix_spawn_file_actions_t) -> Void
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, flags)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        connect(&actions)
        let words = ([program.path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in words + variables { free(pointer) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var child: pid_t = 0
        let result = posix_spawn(&child, program.path, &actions, &attributes, words, variables)
        guard result == 0 else {
            throw Failure("\(program.path) can't be run: \(String(cString: strerror(result)))")
        }
        return child
    }

    /// `POSIX_SPAWN_SETSID`.
    private static let setSession: Int16 = 0x80

    /// Held while a program is started, or files are open that it must not inherit.
    private static let launching = Mutex(())

    private struct Pipes {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw Failure("there is no pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    /// Waits for the end: the exit code, or 128 plus the number of the signal.
    static func end(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    private static func text(of descriptor: Int32) -> String {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Runs work that blocks on a thread of its own: the few threads that run tests have to stay
    /// free for all of them.
    static func onThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }
}
