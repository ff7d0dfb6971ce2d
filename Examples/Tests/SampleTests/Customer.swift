import Foundation
import Synchronization

/// Somebody at a terminal, with a sample running in it.
///
/// The sample is the built program in a session of its own on a pseudoterminal, so the
/// framework's sheets find it at `/dev/tty`, as they do a customer's.
final class Customer: Sendable {
    private struct State {
        var screen = Data()
        /// Where the next wanted text is looked for.
        var position = 0
        var wanted: (text: Data, continuation: CheckedContinuation<Void, any Error>)?
        var isOver = false
        var ending: CheckedContinuation<Void, Never>?
        var status: Int32?
    }

    private let state = Mutex(State())
    private let master: FileHandle
    private let pid: pid_t

    /// Starts a sample of this package.
    init(_ program: String, environment: [String: String]) throws {
        // What posix_openpt(), unlockpt() and ptsname() do: Swift can't see them in Glibc.
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: CInt = 0
        var number: CInt = 0
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
            ioctl(descriptor, 0x8004_5430, &number) == 0
        else { throw Failure("there is no pseudoterminal") }
        master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        pid = try Self.spawn(
            Programs.folder.appendingPathComponent(program).path, terminal: "/dev/pts/\(number)",
            environment: environment)
        Thread.detachNewThread { [self] in watch() }
    }

    deinit {
        if state.withLock({ $0.status }) == nil { Glibc.kill(pid, SIGKILL) }
    }

    /// Everything that the program has written.
    var screen: String { state.withLock { String(decoding: $0.screen, as: UTF8.self) } }

    /// Waits until a text is on the screen, behind what was waited for before.
    ///
    /// - Throws: where the program ends without it, or the test has taken too long.
    func sees(_ text: String) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.wanted = (Data(text.utf8), continuation)
                    Self.look(&state)
                }
            }
        } onCancel: {
            state.withLock { state in
                let text = String(decoding: state.screen.suffix(600), as: UTF8.self)
                state.wanted?.continuation.resume(throwing: Failure("too long; seen: \(text)"))
                state.wanted = nil
            }
        }
    }

    /// Types keys; `\n` is Return.
    func types(_ keys: String) throws {
        try master.write(contentsOf: Data(keys.utf8))
    }

    /// Waits for a text, then types.
    func answers(_ question: String, _ keys: String) async throws {
        try await sees(question)
        try types(keys)
    }

    /// Signs in and confirms, as the framework asks for it.
    func signsInAndConfirms(_ email: String) async throws {
        try await answers("Email: ", "\(email)\n")
        try await answers("Password: ", "\(Shop.password)\n")
        try await answers("Buy? [y/n] ", "y\n")
    }

    /// The program dies between two instructions.
    func killsIt() async {
        Glibc.kill(pid, SIGKILL)
        _ = await end()
    }

    /// Waits for the end: the exit code, or 128 plus the number of the signal.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.isOver { continuation.resume() } else { state.ending = continuation }
            }
        }
        let status = state.withLock { $0.status } ?? 0
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    // MARK: The terminal

    private func watch() {
        let descriptor = master.fileDescriptor
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // EIO: the last program on the terminal has gone.
            guard count > 0 else { break }
            state.withLock { state in
                state.screen.append(contentsOf: buffer[..<count])
                Self.look(&state)
            }
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        state.withLock { state in
            state.status = status
            state.isOver = true
            Self.look(&state)
            state.ending?.resume()
            state.ending = nil
        }
    }

    private static func look(_ state: inout State) {
        guard let wanted = state.wanted else { return }
        let rest = state.position..<state.screen.count
        if let found = state.screen.range(of: wanted.text, in: rest) {
            state.position = found.upperBound
            state.wanted = nil
            wanted.continuation.resume()
        } else if state.isOver {
            state.wanted = nil
            let text = String(decoding: state.screen.suffix(600), as: UTF8.self)
            wanted.continuation.resume(throwing: Failure("it has ended; seen: \(text)"))
        }
    }

    /// `POSIX_SPAWN_SETSID`.
    private static let setSession: Int16 = 0x80

    /// Starts a program in a session of its own, whose terminal is the given one: the first
    /// terminal that the leader of a session opens becomes the session's.
    private static func spawn(
        _ path: String, terminal: String, environment: [String: String]
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, setSession)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        let words = [strdup(path), nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer {
            for pointer in words + variables { free(pointer) }
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, &attributes, words, variables)
        guard result == 0 else { throw Failure("\(path): \(String(cString: strerror(result)))") }
        return pid
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
