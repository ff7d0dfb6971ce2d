import Foundation
import StoreModel
import Synchronization

/// Where commands write, and what it can show.
///
/// What is shown may come from anybody: whatever steers a terminal is taken out of it here, for
/// all commands. What can't be written ends no command; `CommandRunner` says at the end that
/// something is missing.
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

    enum Style: String, CaseIterable {
        case bold = "1"
        case dim = "2"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
        /// The end of another one.
        case plain = "0"

        /// Stand for styles in a text until it is written. Unicode keeps these scalars for the
        /// inner use of programs, so that no text needs them.
        fileprivate static let marks: [(mark: Unicode.Scalar, style: Style)] =
            zip(0xFDD0...0xFDEF, allCases).compactMap { value, style in
                Unicode.Scalar(UInt32(value)).map { ($0, style) }
            }

        fileprivate var mark: String {
            Self.marks.first { $0.style == self }.map { String($0.mark) } ?? ""
        }
    }

    func styled(_ text: String, _ style: Style) -> String {
        hasColor ? style.mark + text + Style.plain.mark : text
    }

    // MARK: Standard output

    func write(_ text: String) {
        Self.send(rendered(text))
    }

    func line(_ text: String = "") {
        write(text + "\n")
    }

    /// A text for programs, such as CSV: as it is, but on a terminal.
    func data(_ text: String) {
        isTerminal ? write(text) : Self.send(text)
    }

    /// Puts a text in place of the line that stands on the terminal, which has no end yet;
    /// nothing where nobody looks at one.
    func replaceLine(_ text: String = "") {
        if isTerminal { Self.send("\r\u{1b}[K" + rendered(text)) }
    }

    /// Writes for whoever watches, where somebody does: that nobody can is no failure.
    func announce(_ text: String) {
        _ = Self.write(rendered(text), to: STDOUT_FILENO)
    }

    /// A value as JSON, for programs.
    func json(_ value: any Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        json(text: String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// JSON, for programs, which say the same by it when it is on a terminal.
    func json(text: String) {
        line(Self.escaped(json: text))
    }

    // MARK: Standard error

    func error(_ text: String) {
        Self.sendError("openstore: \(text.terminalText(keepingLines: true))\n")
    }

    /// A help, for whoever has not said enough.
    func help(_ text: String) {
        Self.sendError(text)
    }

    /// Asks for something to be typed.
    static func prompt(_ text: String) {
        sendError(text)
    }

    // MARK: What is written

    /// The text as it is written: the marks of styles as what terminals know, and nothing else
    /// that steers one.
    func rendered(_ text: String) -> String {
        guard hasColor else { return text.terminalText(keepingLines: true) }
        var result = ""
        var plain = String.UnicodeScalarView()
        func end() {
            result += String(plain).terminalText(keepingLines: true)
            plain.removeAll()
        }
        for scalar in text.unicodeScalars {
            if let style = Style.marks.first(where: { $0.mark == scalar })?.style {
                end()
                result += "\u{1b}[\(style.rawValue)m"
            } else {
                plain.append(scalar)
            }
        }
        end()
        return result
    }

    /// JSON with escapes for what steers a terminal. Outside of its strings JSON has nothing of
    /// that but line feeds.
    static func escaped(json: String) -> String {
        guard json.unicodeScalars.contains(where: { $0.steersTerminals && $0 != "\n" }) else {
            return json
        }
        var text = ""
        for scalar in json.unicodeScalars {
            if scalar.steersTerminals, scalar != "\n" {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Why standard output took no more; nil as long as it takes everything.
    static var failure: String? {
        failureCode.withLock { $0 }.map { String(cString: strerror($0)) }
    }

    private static let failureCode = Mutex<Int32?>(nil)

    /// Writes, unless something before could not be written: what is there has no gaps.
    private static func send(_ text: String) {
        failureCode.withLock { code in
            if code == nil { code = Self.write(text, to: STDOUT_FILENO) }
        }
    }

    private static func sendError(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Writes all of a text.
    ///
    /// - Returns: the number of the error where it can't; nil otherwise.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch count < 0 ? errno : EIO {
            case EINTR: continue
            case EAGAIN:
                // A stream that another program has made one that never waits.
                var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&stream, 1, -1)
            case let code: return code
            }
        }
        return nil
    }
}

/// What a process does before it opens or writes anything.
package enum StandardStreams {
    /// Has a stream that can't be written say so, instead of ending the process; and takes the
    /// places of streams that are closed, so that no file of the store gets what is meant for
    /// them.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // For reading only: what is written there fails, and is said to be missing.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
