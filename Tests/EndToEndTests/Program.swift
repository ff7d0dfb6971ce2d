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
    /// The program's end of its input. It is held here as well: who types to a program that has
    /// ended would end with it.
    private let inputReader: FileHandle
    private let lines: AsyncStream<String>
    private let written = Mutex((output: "", errors: ""))
    private let ending: Ending
    /// Ends with what the program writes to standard error.
    private let errorEnd: AsyncStream<Never>

    /// Starts a program of this package.
    ///
    /// - Throws: `POSIXError` where it could not be started.
    convenience init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:],
        output: Sink = .test, errors: Sink = .test
    ) async throws {
        try await self.init(
            URL(fileURLWithPath: Self.path(name)), arguments, environment: environment,
            output: output, errors: errors)
    }

    /// Starts any program.
    ///
    /// - Throws: `POSIXError` where it could not be started.
    init(
        _ file: URL, _ arguments: [String], environment: [String: String] = [:],
        output: Sink = .test, errors: Sink = .test
    ) async throws {
        // Apps fetch by themselves, whatever this machine has; who tries the agent says so.
        let settings = ProcessInfo.processInfo.environment
            .merging(["OPENSTORE_DOWNLOADS": "inside"]) { $1 }.merging(environment) { $1 }
        let ending = Ending()
        self.ending = ending
        let started = try await Self.start(
            [file.path] + arguments, settings, output, errors
        ) { ending.come($0) }
        id = started.child
        input = FileHandle(fileDescriptor: started.input, closeOnDealloc: true)
        inputReader = FileHandle(fileDescriptor: started.inputReader, closeOnDealloc: true)
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        let (errorEnd, endOfErrors) = AsyncStream<Never>.makeStream()
        self.errorEnd = errorEnd
        let reader = FileHandle(fileDescriptor: started.output, closeOnDealloc: true)
        let errorReader = FileHandle(fileDescriptor: started.errors, closeOnDealloc: true)
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

    /// How a program has ended, once it has.
    private final class Ending: Sendable {
        private struct State {
            var code: Int32?
            var waiting: [CheckedContinuation<Int32, Never>] = []
        }

        private let state = Mutex(State())

        var isThere: Bool { state.withLock { $0.code != nil } }

        func come(_ code: Int32) {
            let waiting = state.withLock { state in
                state.code = code
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume(returning: code) }
        }

        /// The exit code; waits for it.
        func code() async -> Int32 {
            await withCheckedContinuation { continuation in
                let code = state.withLock { state in
                    if state.code == nil { state.waiting.append(continuation) }
                    return state.code
                }
                if let code { continuation.resume(returning: code) }
            }
        }
    }

    /// What a program writes to.
    enum Sink: CaseIterable, Sendable {
        /// This side, which reads it.
        case test
        /// A device that is always full.
        case fullDisk
        /// A pipe that nobody reads.
        case closedPipe
        /// Nothing: the stream is closed.
        case closed

        /// What can't be written to.
        static let broken = allCases.filter { $0 != .test }

        /// The program's end of the stream.
        ///
        /// - Parameter usual: the one that this side reads.
        fileprivate func opened(_ usual: Int32) throws -> Int32 {
            switch self {
            case .test, .closed: return usual
            case .fullDisk:
                let device = open("/dev/full", O_WRONLY | O_CLOEXEC)
                guard device >= 0 else { throw POSIXError(.ENOENT) }
                return device
            case .closedPipe:
                let pipe = try ChildProgram.Pipe()
                close(pipe.reading)
                return pipe.writing
            }
        }

        /// The line that starts the program with that stream.
        fileprivate func line(_ line: [String], stream: Int) -> [String] {
            self == .closed ? ["/bin/sh", "-c", "exec \"$0\" \"$@\" \(stream)>&-"] + line : line
        }
    }

    /// A program that runs, and this side's ends of its streams.
    private struct Started {
        let child: pid_t
        let input: Int32
        let inputReader: Int32
        let output: Int32
        let errors: Int32

        init(
            _ line: [String], _ environment: [String: String], _ outputSink: Sink,
            _ errorSink: Sink
        ) throws {
            let (input, output, errors) = (
                try ChildProgram.Pipe(), try ChildProgram.Pipe(), try ChildProgram.Pipe()
            )
            let (outputEnd, errorEnd) = (
                try outputSink.opened(output.writing), try errorSink.opened(errors.writing)
            )
            defer {
                for end in Set([output.writing, errors.writing, outputEnd, errorEnd]) { close(end) }
            }
            child = try ChildProgram.start(
                errorSink.line(outputSink.line(line, stream: 1), stream: 2), environment,
                streams: [input.reading, outputEnd, errorEnd])
            (self.input, inputReader) = (input.writing, input.reading)
            (self.output, self.errors) = (output.reading, errors.reading)
        }
    }

    /// Starts a program on a thread that stays until its end, as `ChildProgram.start` demands.
    private static func start(
        _ line: [String], _ environment: [String: String], _ output: Sink, _ errors: Sink,
        atEnd: @escaping @Sendable (Int32) -> Void
    ) async throws -> Started {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let started = Swift.Result {
                    try Started(line, environment, output, errors)
                }
                continuation.resume(with: started)
                if case .success(let started) = started {
                    atEnd(ChildProgram.waitForEnd(of: started.child))
                }
            }
        }
    }

    /// Where the build puts programs: beside the tests.
    private static let folder: URL = URL(fileURLWithPath: "/proc/self/exe")
        .resolvingSymlinksInPath().deletingLastPathComponent()

    /// Where a program of this package is.
    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Runs any program to its end. Nobody types anything: what it would read ends at once.
    static func run(
        _ file: URL, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Result {
        let program = try await Program(file, arguments, environment: environment)
        try? program.input.close()
        return await program.end()
    }

    /// Runs a program of this package to its end.
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Result {
        try await run(URL(fileURLWithPath: path(name)), arguments, environment: environment)
    }

    /// The first line that holds a text; nil where the program ends without it.
    func line(with text: String) async -> String? {
        for await line in lines where line.contains(text) { return line }
        return nil
    }

    func type(_ line: String) {
        try? input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Sends a signal, unless the program has ended: its number may be another's by then.
    func send(_ signal: Int32) {
        guard !ending.isThere else { return }
        kill(id, signal)
    }

    /// Asks this program to stop when another one has ended: what that one was to bring about
    /// will not come any more, and nobody is to wait for it.
    func stop(after other: Program) {
        Task { [self] in
            _ = await other.ending.code()
            send(SIGTERM)
        }
    }

    /// Kills the program as soon as something is so, if it has not ended before, and waits for the
    /// end.
    ///
    /// - Parameter condition: asked again and again, on a thread of its own.
    func end(killingOnce condition: @escaping @Sendable () -> Bool) async throws -> Result {
        try await onThread { [self] in
            while !ending.isThere, !condition() { usleep(200) }
            send(SIGKILL)
        }
        return await end()
    }

    /// Waits for the end.
    func end() async -> Result {
        for await _ in lines {}
        for await _ in errorEnd {}
        let code = await ending.code()
        let (output, errors) = written.withLock { $0 }
        return Result(output: output, errors: errors, code: code)
    }
}
