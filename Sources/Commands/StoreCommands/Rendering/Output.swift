import Foundation

/// Where commands write, and what it can show.
struct Output: Sendable {
    /// Whether somebody looks at a terminal.
    let isTerminal: Bool
    /// Whether colours are wanted: a terminal, and no `NO_COLOR` (no-color.org).
    let hasColor: Bool

    static let standard: Output = {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let refused = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Output(isTerminal: isTerminal, hasColor: isTerminal && !refused)
    }()

    enum Style: String {
        case bold = "1"
        case dim = "2"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    func styled(_ text: String, _ style: Style) -> String {
        hasColor ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
    }

    func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    func line(_ text: String = "") {
        write(text + "\n")
    }

    func error(_ text: String) {
        FileHandle.standardError.write(Data("openstore: \(text)\n".utf8))
    }

    /// A value as JSON, for programs.
    func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        write(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }
}
