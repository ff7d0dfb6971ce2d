import Foundation
import StoreTestSupport
import Synchronization

/// A built program in a process of its own, whose output can be waited for line by line.
final class Program: Sendable {
    /// What a program has written and how it ended.
    struct Result: Sendable {
        let output: String
        let errors: String
        /// The exit code, or 128 plus the number of the signal.
        let code: Int32
    }

    /// The number of the process.
    let id: Int32
    private let input: FileHandle
    private let lines: AsyncStream<String>
    private let written = Mutex((output: "", errors: ""))
    private let ended: Task<Int32, Never>
    /// Ends with what the program writes to standard error.
    private let errorEnd: AsyncStream<Never>

    /// Starts a program of this package.
    convenience init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws {
        try self.init(
            URL(fileURLWithPath: Self.path(name)), arguments, environment: environment)
    }

    /// Starts any program.
    init(_ file: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        let settings = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (child, input, output, errors) = try ChildProgram.launching.withLock { _ in
            let (input, output, errors) = (try Pipes(), try Pipes(), try Pipes())
            let child = try Self.spawn(
                [file.path] + arguments, settings,
                streams: [input.reading, output.writing, errors.writing])
            for end in [input.reading, output.writing, errors.writing] { close(end) }
            return (child, input, output, errors)
        }
        id = child
        self.input = FileHandle(fileDescriptor: input.writing, closeOnDealloc: true)
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        let (errorEnd, endOfErrors) = AsyncStream<Never>.makeStream()
        self.errorEnd = errorEnd
        let (ends, end) = AsyncStream<Int32>.makeStream()
        ended = Task {
            for await code in ends { return code }
            return -1
        }
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            end.yield(signal == 0 ? status >> 8 & 0xff : 128 + signal)
            end.finish()
        }
        let reader = FileHandle(fileDescriptor: output.reading, closeOnDealloc: true)
        let errorReader = FileHandle(fileDescriptor: errors.reading, closeOnDealloc: true)
        Thread.detachNewThread { [self] in
            var rest = Data()
            while case let data = reader.availableData, !data.isEmpty {
                self.written.withLock { $0.output += String(decoding: data, as: UTF8.self) }
                rest += data
                while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<newline], as: UTF8.self))
                    rest = Data(rest[(newline + 1)...])
                }
            }
            continuation.finish()
        }
        Thread.detachNewThread { [self] in
            while case let data = errorReader.availableData, !data.isEmpty {
                self.written.withLock { $0.errors += String(decoding: data, as: UTF8.self) }
            }
            endOfErrors.finish()
        }
    }

    /// The two ends of a pipe, which no other program inherits.
    private struct Pipes {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    /// Starts a program with `posix_spawn`: Foundation's `Process` crashes where other threads
    /// open files meanwhile.
    ///
    /// - Parameter streams: what its standard input, output and error are.
    private static func spawn(
        _ line: [String], _ environment: [String: String], streams: [Int32]
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }
        let words = line.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, line[0], &actions, nil, words, settings)
        guard failure == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOENT)
        }
        return child
    }

    /// Where the build puts programs: beside the tests.
    private static let folder: URL = URL(fileURLWithPath: "/proc/self/exe")
        .resolvingSymlinksInPath().deletingLastPathComponent()

    /// Where a program of this package is.
    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Runs any program to its end.
    static func run(
        _ file: URL, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Result {
        try await Program(file, arguments, environment: environment).end()
    }

    /// Runs a program to its end.
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Result {
        let program = try Program(name, arguments, environment: environment)
        return await program.end()
    }

    /// The first line that holds a text; nil where the program ends without it.
    func line(with text: String) async -> String? {
        for await line in lines where line.contains(text) { return line }
        return nil
    }

    func type(_ line: String) {
        try? input.write(contentsOf: Data((line + "\n").utf8))
    }

    func send(_ signal: Int32) {
        kill(id, signal)
    }

    /// Waits for the end.
    func end() async -> Result {
        for await _ in lines {}
        for await _ in errorEnd {}
        let code = await ended.value
        let (output, errors) = written.withLock { $0 }
        return Result(output: output, errors: errors, code: code)
    }
}
