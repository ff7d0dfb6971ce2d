/// Something that is wrong with an XML document, at a line of it.
package struct XMLProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// One sentence.
    package let message: String

    package init(line: Int, _ message: String) {
        self.line = line
        self.message = message
    }

    package var description: String { "line \(line): \(message)" }
}
