import StoreKernel
import StoreModel
import StoreTexts
import Synchronization

/// The controlling terminal of the process.
struct Terminal: Sendable {
    let descriptor: Int32
    /// Whether nobody is to be waited for any longer; nil where that is never so.
    var isOver: (@Sendable () -> Bool)?

    /// Opens the controlling terminal.
    static let controlling: @Sendable () -> Int32 = { open("/dev/tty", O_RDWR | O_CLOEXEC) }

    /// Opens the terminal for one question at a time, on a thread that may block.
    ///
    /// - Parameter place: opens it; negative where there is none.
    /// - Throws: `SKError.paymentNotAllowed` where there is none.
    static func exclusive<Answer: Sendable>(
        at place: @escaping @Sendable () -> Int32 = controlling,
        _ body: @escaping @Sendable (Terminal) -> Answer
    ) async throws -> Answer {
        try await questions.run(leavesWhenCancelled: false) {
            let descriptor = place()
            guard descriptor >= 0 else {
                throw SKError(
                    .paymentNotAllowed,
                    "There is no terminal to ask the customer on. Set the environment variable "
                        + "OPENSTORE_SHEET: browser asks on a page of the store; in the sandbox, "
                        + "accept and decline answer without a person. Or set OpenStore.sheet.")
            }
            defer { close(descriptor) }
            return body(Terminal(descriptor: descriptor))
        }
    }

    /// The same for what is only shown: cancelling the task takes it away.
    static func exclusiveUnlessCancelled<Answer: Sendable>(
        at place: @escaping @Sendable () -> Int32 = controlling,
        _ body: @escaping @Sendable (Terminal) -> Answer
    ) async throws -> Answer {
        let ending = Ending()
        return try await withTaskCancellationHandler {
            let answer = try await exclusive(at: place) { terminal in
                body(Terminal(descriptor: terminal.descriptor, isOver: { ending.isThere }))
            }
            try Task.checkCancellation()
            return answer
        } onCancel: {
            ending.come()
        }
    }

    private static let questions = BlockingPool("store-terminal", threads: 1)

    /// How many columns it has; 80 where it does not say.
    var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes a text, whoever wrote it: nothing of it draws over what the customer is asked.
    func write(_ text: String) {
        send(text.terminalText(keepingLines: true))
    }

    /// Writes a line in the place of the one that the cursor is in.
    private func rewrite(_ line: String) {
        send("\r" + line.terminalText().wrapped(to: max(20, columns - 1), lines: 1).joined())
        send("\u{1b}[K")
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        var position = 0
        while position < bytes.count {
            let count = bytes[position...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return }
            position += count
        }
    }

    /// Whether the customer agrees, by a word for yes or no; nothing and the end of input are no.
    func agrees(_ question: String, in texts: Texts) -> Bool {
        while let answer = ask(question) {
            switch YesOrNo(answer, in: texts) {
            case .yes: return true
            case .no, .nothing: return false
            case nil: continue
            }
        }
        return false
    }

    /// Shows a line that changes, until there is none any more.
    ///
    /// - Returns: whether the customer has pressed Return before.
    func follow(_ line: () -> String?) -> Bool {
        var shown: String?
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while let text = line() {
            if text != shown { rewrite(text) }
            shown = text
            guard isOver?() != true else { break }
            if poll(&input, 1, 100) > 0 {
                _ = ask("")
                return true
            }
        }
        write("\n")
        return false
    }

    /// A line that the customer typed; nil at the end of input, and where nobody is waited for
    /// any longer.
    func ask(_ prompt: String, echo: Bool = true) -> String? {
        var saved = termios()
        let isTerminal = tcgetattr(descriptor, &saved) == 0
        if !echo, isTerminal {
            var silent = saved
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(descriptor, TCSAFLUSH, &silent)
        }
        // After that: who answers at once must neither be seen nor lose what they typed.
        write(prompt)
        defer {
            if !echo, isTerminal {
                tcsetattr(descriptor, TCSAFLUSH, &saved)
                write("\n")
            }
        }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            guard awaitInput() else {
                write("\n")
                return nil
            }
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else {
                return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            guard line.count < 1024 else { return nil }
            line.append(byte)
        }
    }

    /// Waits until there is something to read; false where nobody is waited for any longer.
    private func awaitInput() -> Bool {
        guard let isOver else { return true }
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !isOver() {
            if poll(&input, 1, 100) > 0 { return true }
        }
        return false
    }
}

/// Whether what a customer is waited for has come to its end in another place.
final class Ending: Sendable {
    private let mark = Mutex(false)

    var isThere: Bool { mark.withLock { $0 } }
    func come() { mark.withLock { $0 = true } }
}
