import StoreModel

/// Text of helps, in lines that a terminal of the usual width shows whole.
enum HelpText {
    /// The columns of a line.
    static let width = 80
    /// What stands on the left of a table is no wider.
    private static let nameWidth = 30

    /// Words one after the other, in as many lines as they need.
    ///
    /// - Parameters:
    ///   - start: what the first line begins with.
    ///   - indent: the spaces before each further line.
    ///   - width: the columns of a line.
    static func wrapped(
        _ words: [String], after start: String = "", indent: Int, width: Int = width
    ) -> String {
        var lines = [start]
        var isEmpty = true
        for word in words {
            let room = width - (lines.last?.count ?? 0)
            if !isEmpty, word.count + 1 > room {
                lines.append(String(repeating: " ", count: indent) + word)
            } else {
                lines[lines.count - 1] += (isEmpty ? "" : " ") + word
            }
            isEmpty = false
        }
        return lines.joined(separator: "\n")
    }

    /// Paragraphs, which have an empty line between them.
    static func paragraphs(_ text: String) -> String {
        var paragraphs: [[String]] = [[]]
        for line in text.split(scalar: "\n", omittingEmptySubsequences: false) {
            let words = line.split(scalar: " ").map(String.init)
            if words.isEmpty {
                paragraphs.append([])
            } else {
                paragraphs[paragraphs.count - 1] += words
            }
        }
        return paragraphs.filter { !$0.isEmpty }.map { wrapped($0, indent: 0) + "\n" }
            .joined(separator: "\n")
    }

    /// Names on the left, and what each means.
    static func table(_ rows: [(name: String, text: String)]) -> String {
        let names = rows.map(\.name.count).filter { $0 <= nameWidth }
        let column = 2 + (names.max() ?? 4) + 2
        let space = String(repeating: " ", count: column)
        var text = ""
        for row in rows {
            var start = "  " + row.name
            if row.name.count > nameWidth {
                text += start + "\n"
                start = ""
            }
            start = start.padding(toLength: column, withPad: " ", startingAt: 0)
            text += wrapped(
                row.text.split(scalar: " ").map(String.init), after: start, indent: space.count)
            text += "\n"
        }
        return text
    }
}
