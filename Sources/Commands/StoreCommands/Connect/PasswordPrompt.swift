import Foundation

/// Reads what must not be seen.
enum PasswordPrompt {
    /// A password: given on the command line, typed on the terminal without being shown, or
    /// a line of standard input.
    ///
    /// - Throws: `UsageError` where there is none.
    static func read(_ arguments: ParsedArguments, _ prompt: String) throws -> String {
        if let given = arguments["password"] { return given }
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        defer { Output.prompt("\n") }
        return try TerminalEcho.without(STDIN_FILENO) {
            // Not before: who answers at once must neither be seen nor lose what they typed.
            Output.prompt("\(prompt): ")
            return try line()
        }
    }

    private static func line() throws -> String {
        guard let line = readLine() else {
            throw UsageError(description: "there is no password; give one line on standard input")
        }
        return line
    }
}
