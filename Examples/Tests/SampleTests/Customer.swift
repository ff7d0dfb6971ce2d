import Foundation
import Synchronization
import Testing

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
        var code: Int32?
    }

    private let state = Mutex(State())
    private let master: FileHandle
    private let pid: pid_t

    /// Starts a sample of this package.
    ///
    /// - Parameter restriction: a folder for the machine on which the administrator has switched
    ///   purchases off; `nil` for the settings of this machine.
    init(
        _ program: String, _ arguments: [String] = [], environment: [String: String],
        restriction: URL? = nil
    ) throws {
        // What posix_openpt(), unlockpt() and ptsname() do: Swift can't see them in Glibc.
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: CInt = 0
        var number: CInt = 0
        guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &isLocked) == 0,
            ioctl(descriptor, 0x8004_5430, &number) == 0
        else { throw Failure("there is no pseudoterminal") }
        master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let file = Programs.folder.appendingPathComponent(program)
        let (started, words) =
            restriction.map {
                Programs.restricted(file, arguments, in: $0)
            } ?? (file, arguments)
        pid = try Programs.start(
            started, words, terminal: "/dev/pts/\(number)", environment: environment)
        Thread.detachNewThread { [self] in watch() }
    }

    deinit {
        if state.withLock({ $0.code }) == nil { Glibc.kill(pid, SIGKILL) }
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
                    if Task.isCancelled { Self.giveUp(&state) } else { Self.look(&state) }
                }
            }
        } onCancel: {
            state.withLock { Self.giveUp(&$0) }
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
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    if state.isOver { continuation.resume() } else { state.ending = continuation }
                }
            }
        } onCancel: {
            // A program that hangs must not keep the test from ending.
            if state.withLock({ !$0.isOver }) { Glibc.kill(pid, SIGKILL) }
        }
        return state.withLock { $0.code } ?? 0
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
        let code = Programs.end(of: pid)
        state.withLock { state in
            state.code = code
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

    /// What was waited for has not come until the test's time limit.
    private static func giveUp(_ state: inout State) {
        guard let wanted = state.wanted else { return }
        let text = String(decoding: wanted.text, as: UTF8.self)
        let seen = String(decoding: state.screen.suffix(2000), as: UTF8.self)
        let failure = Failure("\(text) did not come in time; seen: \(seen)")
        // The time limit itself is what the test fails with, and this would be lost.
        Issue.record(failure)
        wanted.continuation.resume(throwing: failure)
        state.wanted = nil
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
