import Foundation

/// The terminal: text, and colour where somebody sees it and has not refused it (no-color.org).
enum Screen {
    static let isTerminal: Bool = isatty(STDOUT_FILENO) == 1
    private static let hasColor =
        isTerminal && ProcessInfo.processInfo.environment["NO_COLOR"].map(\.isEmpty) ?? true

    static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    static func bold(_ text: String) -> String { styled(text, "1") }
    static func dim(_ text: String) -> String { styled(text, "2") }
    static func green(_ text: String) -> String { styled(text, "32") }

    /// Ends the program with one sentence for the customer.
    static func fail(_ sentence: String, code: Int32) -> Never {
        let line = Data("HostedNonConsumables: \(sentence)\n".utf8)
        try? FileHandle.standardError.write(contentsOf: line)
        exit(code)
    }

    private static func styled(_ text: String, _ code: String) -> String {
        hasColor && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
