import Foundation

/// The terminal: lines that the reader types, text, and styles where somebody sees them and has not
/// refused them (no-color.org).
enum Terminal {
    private static let hasStyles =
        isatty(STDOUT_FILENO) == 1
        && ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true

    /// The next line; `nil` at the end of input.
    static func line() async -> String? {
        await withCheckedContinuation { continuation in
            // On a thread of its own: meanwhile the framework goes on.
            Thread.detachNewThread {
                continuation.resume(returning: readLine()?.trimmingCharacters(in: .whitespaces))
            }
        }
    }

    static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    static func bold(_ text: String) -> String { styled(text, "1") }
    static func dim(_ text: String) -> String { styled(text, "2") }

    /// Ends the program with one sentence for the reader.
    static func fail(_ sentence: String, code: Int32) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("Subscriptions: \(sentence)\n".utf8))
        exit(code)
    }

    private static func styled(_ text: String, _ code: String) -> String {
        hasStyles ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
