import StoreModel

/// An item as it stands on a terminal: values in, lines out.
struct ItemCard {
    /// What the customer is asked below it.
    static let choices = "o opens the page, b buys on the page, Return when you are done: "

    /// What an account can't do whose purchases somebody else approves.
    private static let approval =
        "Ask to Buy: somebody else approves what your account buys. It can't buy this here."

    /// The most lines of the description.
    private static let summaryLimit = 6
    /// Narrower than this is not legible.
    private static let leastWidth = 20

    private let item: OpenStoreItem

    init(_ item: OpenStoreItem) {
        self.item = item
    }

    /// The title and what stands below it, in lines of so many columns.
    func text(width: Int) -> (title: String, lines: [String]) {
        let width = max(Self.leastWidth, min(width, 100))
        var facts = [item.seller, item.price ?? "", stars].filter { !$0.isEmpty }
        if item.isSandbox { facts.append(sandboxMark) }
        if item.needsApproval { facts.append(Self.approval) }
        var lines = facts.flatMap { $0.terminalText().wrapped(to: width, lines: 2) }
        let summary = item.summary.split(whereSeparator: \.isNewline)
            .flatMap { String($0).terminalText().wrapped(to: width, lines: Self.summaryLimit + 1) }
        if !summary.isEmpty {
            lines.append("")
            lines += summary.prefix(Self.summaryLimit)
            if summary.count > Self.summaryLimit {
                lines[lines.count - 1] = lines[lines.count - 1].shortened(to: width)
            }
        }
        let title = item.title.terminalText().wrapped(to: width, lines: 1).first ?? ""
        return (title, lines)
    }

    /// How many rate it how, where somebody has.
    private var stars: String {
        guard let rating = item.rating else { return "" }
        let full = Int(clamping: rating.rounded())
        let signs = String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
        let count = item.ratingCount == 1 ? "1 rating" : "\(item.ratingCount) ratings"
        return "\(signs) \(String(format: "%.1f", rating)) (\(count))"
    }
}

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
                if columns > 0, columns + length > width { end() }
                line.append(character)
                columns += length
            }
            if lines.count > limit { break }
        }
        if !line.isEmpty { end() }
        guard lines.count > limit else { return lines }
        return lines.prefix(limit - 1) + [lines[limit - 1].shortened(to: width)]
    }

    /// The text with “…” at its end, in so many columns.
    fileprivate func shortened(to width: Int) -> String {
        var text = self
        while text.terminalWidth >= width, !text.isEmpty { text.removeLast() }
        return text + "…"
    }
}
