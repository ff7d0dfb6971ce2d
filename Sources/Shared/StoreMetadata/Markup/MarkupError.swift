/// Why a document can't be read any further.
package struct MarkupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int
    /// What is wrong and what is allowed, without a full stop.
    package let problem: String

    package init(line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    package var description: String { "line \(line): \(problem)" }
}
