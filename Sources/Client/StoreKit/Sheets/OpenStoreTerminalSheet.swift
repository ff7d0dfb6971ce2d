import StoreModel

/// An addition of OpenStoreKit: asks on the terminal of the process.
public struct OpenStoreTerminalSheet: OpenStoreSheet {
    /// A sheet on the controlling terminal.
    public init() {}

    /// Asks whether to buy.
    public func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        try await Terminal.exclusive { terminal in
            var lines = [question.text, "Account: \(question.account)"]
            if question.isSandbox { lines.append(sandboxMark) }
            terminal.write(box("Confirm Your In-App Purchase", lines))
            while true {
                guard let answer = terminal.ask("Buy? [y/n] ") else { return false }
                switch answer.trimmingCharacters(in: .whitespaces).lowercased() {
                case "y", "yes": return true
                case "n", "no", "": return false
                default: continue
                }
            }
        }
    }

    /// Asks who the customer is.
    public func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        try await Terminal.exclusive { terminal in
            var lines = [question.problem ?? "Sign in to the store to go on."]
            if question.isSandbox { lines.append(sandboxMark) }
            terminal.write(box("Sign In", lines))
            var email = question.email
            if let email {
                terminal.write("Email: \(email.harmless)\n")
            } else {
                email = terminal.ask("Email: ")?.trimmingCharacters(in: .whitespaces)
            }
            guard let email, !email.isEmpty,
                let password = terminal.ask("Password: ", echo: false), !password.isEmpty
            else { return nil }
            return OpenStoreCredentials(email: email, password: password)
        }
    }

    /// Asks for an offer code.
    public func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        try await Terminal.exclusive { terminal in
            var lines = [question.problem ?? "Enter the code that you were given."]
            lines.append("Account: \(question.account)")
            if question.isSandbox { lines.append(sandboxMark) }
            terminal.write(box("Redeem Code", lines))
            let code = terminal.ask("Code: ")?.trimmingCharacters(in: .whitespaces)
            return code?.isEmpty == false ? code : nil
        }
    }

    /// Asks about a higher price.
    public func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? {
        try await Terminal.exclusive { terminal in
            var lines = [question.text, "Account: \(question.account)"]
            if question.isSandbox { lines.append(sandboxMark) }
            terminal.write(box("Price Increase", lines))
            while true {
                guard let answer = terminal.ask("Agree? [y/n, Return for later] ") else {
                    return nil
                }
                switch answer.trimmingCharacters(in: .whitespaces).lowercased() {
                case "y", "yes": return true
                case "n", "no": return false
                case "": return nil
                default: continue
                }
            }
        }
    }

    /// Writes the address of a page, which terminals make a link.
    public func show(_ page: OpenStorePage) async throws {
        try await Terminal.exclusive { terminal in
            terminal.write(box(page.title, [page.url.absoluteString]))
            _ = terminal.ask("Press Return to go on. ")
        }
    }

    /// Lines in a frame under a title.
    private func box(_ title: String, _ lines: [String]) -> String {
        let texts = ([title] + lines).map(\.harmless)
        let width = texts.map(\.terminalWidth).max() ?? 0
        func row(_ text: String) -> String {
            "│ " + text + String(repeating: " ", count: width - text.terminalWidth) + " │\n"
        }
        let bar = String(repeating: "─", count: width + 2)
        return "┌\(bar)┐\n" + row(texts[0]) + "├\(bar)┤\n"
            + texts.dropFirst().map(row).joined() + "└\(bar)┘\n"
    }
}

extension String {
    /// The text without control and format characters: it comes from the store, and must not
    /// be able to draw over what the customer is asked.
    fileprivate var harmless: String {
        let scalars = unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// The controlling terminal of the process.
private struct Terminal {
    private let descriptor: Int32

    /// Opens the terminal for one question at a time, on a thread that may block.
    ///
    /// - Throws: `SKError.paymentNotAllowed` where there is none.
    static func exclusive<Answer: Sendable>(
        _ body: @escaping @Sendable (Terminal) -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            questions.async {
                let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
                guard descriptor >= 0 else {
                    continuation.resume(
                        throwing: SKError(
                            .paymentNotAllowed,
                            "There is no terminal to ask the customer on. Set OpenStore.sheet to "
                                + "answer in another way."))
                    return
                }
                defer { close(descriptor) }
                continuation.resume(returning: body(Terminal(descriptor: descriptor)))
            }
        }
    }

    private static let questions = DispatchQueue(label: "StoreKit terminal sheet")

    func write(_ text: String) {
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

    /// A line that the customer typed; nil at the end of input.
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
}
