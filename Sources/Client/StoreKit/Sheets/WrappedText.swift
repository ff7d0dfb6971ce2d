import StoreModel

extension String {
    /// Lines of so many columns, broken between words, and inside of what is longer than a line
    /// or written without spaces.
    ///
    /// - Parameter lines: the most that are made; the last one ends with “…” where there is more.
    func wrapped(to width: Int, lines limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var columns = 0
        func end() {
            lines.append(line)
            (line, columns) = ("", 0)
        }
        for word in split(scalar: " ") {
            let length = String(word).terminalWidth
            if columns > 0, columns + 1 + length <= width {
                line += " " + word
                columns += 1 + length
                continue
            }
            if columns > 0 { end() }
            for character in word {
                let length = String(character).terminalWidth
                if columns > 0, columns + length > width {
                    // What closes a sentence takes the letter before it along.
                    let taken =
                        Self.closing.contains(character) && line.count > 1
                        ? String(line.removeLast()) : ""
                    end()
                    (line, columns) = (taken, taken.terminalWidth)
                }
                line.append(character)
                columns += length
            }
            if lines.count > limit { break }
        }
        if !line.isEmpty { end() }
        guard lines.count > limit else { return lines }
        return lines.prefix(limit - 1) + [lines[limit - 1].shortened(to: width)]
    }

    /// What begins no line in Chinese and Japanese.
    private static let closing: Set<Character> = [
        "。", "、", "，", "．", "：", "；", "？", "！", "」", "』", "）", "”", "’", "ー",
    ]

    /// The text with “…” at its end, in so many columns.
    fileprivate func shortened(to width: Int) -> String {
        var text = self
        while text.terminalWidth >= width, !text.isEmpty { text.removeLast() }
        return text + "…"
    }
}
