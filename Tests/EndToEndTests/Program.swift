import Foundation
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

    private let process: Mutex<Process>
    private let input: Pipe
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
        let process = Process()
        process.executableURL = file
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(environment) { $1 }
        let output = Pipe()
        let errors = Pipe()
        input = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = input
        let (lines, continuation) = AsyncStream<String>.makeStream()
        self.lines = lines
        let (errorEnd, endOfErrors) = AsyncStream<Never>.makeStream()
        self.errorEnd = errorEnd
        let (ends, end) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { process in
            let isSignal = process.terminationReason == .uncaughtSignal
            end.yield(isSignal ? 128 + process.terminationStatus : process.terminationStatus)
            end.finish()
        }
        // Foundation's launching is not for two threads at once.
        try Self.launching.withLock { _ in try process.run() }
        self.process = Mutex(process)
        ended = Task {
            for await code in ends { return code }
            return -1
        }
        let reader = output.fileHandleForReading
        let errorReader = errors.fileHandleForReading
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

    private static let launching = Mutex(())

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

    /// The number of the process.
    var id: Int32 { process.withLock { $0.processIdentifier } }

    func type(_ line: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
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
