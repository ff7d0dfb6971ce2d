import Foundation

/// A program of the system that judges what ours made. Tests that need one are skipped
/// by name where it is absent.
package struct CommandLineTool: Sendable {
    package let url: URL

    /// Nil where the search path holds no such program.
    package init?(_ name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let path = folders.lazy.map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path else { return nil }
        url = URL(fileURLWithPath: path)
    }

    package static let openssl = CommandLineTool("openssl")
    package static let bsdtar = CommandLineTool("bsdtar")
    package static let curl = CommandLineTool("curl")
    package static let python3 = CommandLineTool("python3")

    /// Runs it to its end in a folder; the output is that of both streams.
    @discardableResult
    package func run(_ arguments: [String], in folder: URL) async throws -> (
        status: Int32, output: String
    ) {
        // In the C locale bsdtar would not write names beyond ASCII.
        let (status, output) = try await ChildProgram.run(
            url.path, arguments, environment: ["LC_ALL": "C.UTF-8"], in: folder)
        return (status, String(decoding: output, as: UTF8.self))
    }
}
