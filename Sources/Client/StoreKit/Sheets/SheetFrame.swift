import StoreModel
import StoreTexts

/// A framed text on a terminal: a title, and lines below it.
///
/// What customers decide by stands behind labels, each fact on a line of its own. Text from
/// the store stays behind its label, however long it is and whatever it holds: a name can't
/// look like a price.
struct SheetFrame {
    /// Narrower than this is not legible.
    private static let leastWidth = 20
    private static let mostWidth = 100
    /// The most lines of one text.
    private static let mostLines = 400

    private let title: String
    /// Columns inside of the frame.
    private let width: Int
    private var lines: [String] = []

    /// - Parameter columns: of the terminal. A line that is longer would go on at its left edge.
    init(_ title: String, columns: Int) {
        width = max(Self.leastWidth, min(columns - 4, Self.mostWidth))
        self.title = title.terminalText().wrapped(to: width, lines: 1).first ?? ""
    }

    /// Adds lines as they are.
    mutating func add(lines more: [String]) {
        lines += more
    }

    /// Adds a sentence.
    mutating func add(_ sentence: String) {
        lines += sentence.terminalText().wrapped(to: width, lines: 6)
    }

    /// A text of several paragraphs in lines that fit into the frame.
    func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            guard lines.count < Self.mostLines else { break }
            let parts = String(paragraph).terminalText().wrapped(to: width, lines: Self.mostLines)
            // One empty line is enough between two paragraphs.
            if !parts.isEmpty {
                lines += parts
            } else if lines.last?.isEmpty == false {
                lines.append("")
            }
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Adds facts with their labels, the values below one another. Labels are ours, never the
    /// store's.
    mutating func add(_ facts: [(label: String, value: String)]) {
        let indent = (facts.map(\.label.terminalWidth).max() ?? 0) + 2
        for (label, value) in facts { add(value, after: label + ":", indent: indent) }
    }

    /// Adds texts of the store, each behind a dot.
    mutating func add(items: [String]) {
        for item in items { add(item, after: "  ·", indent: 4) }
    }

    private mutating func add(_ value: String, after start: String, indent: Int) {
        let values = value.terminalText().wrapped(to: max(8, width - indent), lines: 8)
        for (number, part) in (values.isEmpty ? [""] : values).enumerated() {
            let start = number == 0 ? start : ""
            lines.append(
                start + String(repeating: " ", count: indent - start.terminalWidth) + part)
        }
    }

    var text: String {
        let all = [title] + lines
        let widest = all.map(\.terminalWidth).max() ?? 0
        func row(_ text: String) -> String {
            "│ " + text + String(repeating: " ", count: widest - text.terminalWidth) + " │\n"
        }
        let bar = String(repeating: "─", count: widest + 2)
        return "┌\(bar)┐\n" + row(title) + "├\(bar)┤\n" + lines.map(row).joined() + "└\(bar)┘\n"
    }
}

extension OpenStorePurchaseQuestion {
    /// What a customer decides by, with its labels.
    func facts(in texts: Texts) -> [(label: String, value: String)] {
        var facts: [(label: String, value: String)] = [(texts.product, title)]
        if quantity != 1 { facts.append((texts.quantity, texts.number(quantity))) }
        if let renewal {
            facts += texts.terms(of: renewal, price: price)
            facts.append((texts.cancellation, texts.howToCancel))
        } else {
            facts.append((texts.price, price))
        }
        if needsApproval { facts.append((texts.approval, texts.approvalFirst)) }
        return facts + [(texts.account, account)]
    }

    /// When it charges the account, where the price does not say it all.
    func notice(in texts: Texts) -> String? {
        texts.sentence(of: charge, in: locale, unitPrice.currency)
    }
}

extension OpenStorePriceConsentQuestion {
    /// What a customer decides by, with its labels.
    func facts(in texts: Texts) -> [(label: String, value: String)] {
        [
            (texts.product, title), (texts.priceNow, currentPrice), (texts.newPrice, newPrice),
            (texts.account, account),
        ]
    }
}
