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
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        let (ends, end) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in end.finish() }
        do { try process.run() } catch { throw Failure("\(program.path) can't be run: \(error)") }
        async let written = text(of: output)
        async let problems = text(of: errors)
        for await _ in ends {}
        return (process.terminationStatus, await written, await problems)
    }

    private static func text(of pipe: Pipe) async -> String {
        let handle = pipe.fileHandleForReading
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let data = handle.readDataToEndOfFile()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}
