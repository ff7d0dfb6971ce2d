import Foundation
import StoreTestSupport

/// A program at a terminal of its own, and a customer there who answers each question as it was
/// agreed on before, by keyboard.
enum TerminalProgram {
    /// A question, or the end of one, and what is typed then, without Return.
    typealias Answer = (question: String, typed: String)

    /// What the customer saw, and how the program ended.
    struct Result: Sendable, CustomStringConvertible {
        /// What was shown up to each answer, and behind the last one, with what was typed.
        var screens: [String] = []
        /// Whether each question was asked.
        var isComplete = false
        /// The exit code, or 128 plus the number of the signal.
        var code: Int32 = -1

        /// Everything that was shown.
        var text: String { screens.joined() }
        var description: String { "code \(code)\(isComplete ? "" : ", not asked") \(text)" }
    }

    /// So long nothing has to be shown before nothing more is expected. Only for hangs.
    private static let patience: Int32 = 180_000

    /// Runs a program to its end.
    ///
    /// - Parameter environment: all that there is.
    /// - Throws: `POSIXError` where it could not be started.
    static func run(
        _ file: URL, _ arguments: [String] = [], environment: [String: String], _ answers: [Answer]
    ) async throws -> Result {
        try await onThread {
            let terminal = try ChildProgram.Terminal()
            defer { close(terminal.customer) }
            let child: pid_t
            do {
                defer { close(terminal.program) }
                // The terminal is the one that the program finds as /dev/tty.
                child = try ChildProgram.start(
                    ["/usr/bin/setsid", "--ctty", file.path] + arguments, environment,
                    streams: [terminal.program, terminal.program, terminal.program])
            }
            var result = Result()
            var reader = Reader(descriptor: terminal.customer)
            result.isComplete = answers.allSatisfy { answer in
                let isAsked = reader.readUp(to: answer.question)
                result.screens.append(reader.takeScreen())
                if isAsked { reader.type(answer.typed) }
                return isAsked
            }
            // Nothing is typed any more: a question that nobody expects ends by this.
            reader.type("\u{4}", ending: "")
            reader.readToEnd()
            result.screens.append(reader.takeScreen())
            if reader.hasGivenUp { kill(child, SIGKILL) }
            result.code = ChildProgram.waitForEnd(of: child)
            return result
        }
    }

    /// The customer's eyes and hands.
    private struct Reader {
        let descriptor: Int32
        private var screen: [UInt8] = []
        private var buffer = [UInt8](repeating: 0, count: 1 << 16)
        /// Whether nothing came for so long that nothing more will.
        private(set) var hasGivenUp = false

        init(descriptor: Int32) {
            self.descriptor = descriptor
        }

        /// - Returns: whether the question is asked: it is what nothing follows, for it waits.
        mutating func readUp(to question: String) -> Bool {
            while !screen.suffix(question.utf8.count).elementsEqual(question.utf8) {
                guard readMore() else { return false }
            }
            return true
        }

        mutating func readToEnd() {
            while readMore() {}
        }

        private mutating func readMore() -> Bool {
            var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard !hasGivenUp, poll(&input, 1, TerminalProgram.patience) > 0 else {
                hasGivenUp = true
                return false
            }
            // An error where nobody has the terminal any more.
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return false }
            // A terminal begins lines with it.
            screen += buffer[..<count].filter { $0 != UInt8(ascii: "\r") }
            return true
        }

        mutating func takeScreen() -> String {
            defer { screen = [] }
            return String(decoding: screen, as: UTF8.self)
        }

        func type(_ text: String, ending: String = "\n") {
            let line = Array((text + ending).utf8)
            _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
    }
}
