import Foundation
import StoreModel

/// Asks whoever sits at the terminal.
enum TerminalQuestion {
    /// How to ask; `nil` if nobody sits at a terminal.
    static var ask: ParsedArguments.Question? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        return { name, help in
            Output.prompt("\(name) (\(help.dropping(suffix: ".") ?? help[...])): ")
            // Nothing typed is nothing given.
            return readLine().flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}

extension [String] {
    /// Words as a sentence has them: `a, b and c`.
    func formatted(as conjunction: String) -> String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
