import StoreModel

/// A framed text on a terminal: a title, and lines below it.
///
/// What customers decide by stands behind labels, each fact on a line of its own. Text from
/// the store stays behind its label, however long it is and whatever it holds: a name can't
/// look like a price.
struct SheetFrame {
    /// Narrower than this is not legible.
    private static let leastWidth = 20
    private static let mostWidth = 100

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

    /// Adds facts with their labels, the values below one another.
    mutating func add(_ facts: [(label: String, value: String)]) {
        let indent = (facts.map(\.label.terminalWidth).max() ?? 0) + 2
        for (label, value) in facts {
            let values = value.terminalText()
                .wrapped(to: max(8, width - indent), lines: 8)
            for (number, part) in (values.isEmpty ? [""] : values).enumerated() {
                let start = number == 0 ? label + ":" : ""
                lines.append(
                    start + String(repeating: " ", count: indent - start.terminalWidth) + part)
            }
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
    var facts: [(label: String, value: String)] {
        var facts: [(label: String, value: String)] = [("Product", title)]
        if quantity != 1 { facts.append(("Quantity", "\(quantity)")) }
        facts += renewal.map { RenewalNotice($0).facts(price: price) } ?? [("Price", price)]
        if needsApproval {
            facts.append(("Approval", "somebody else has to approve the purchase first"))
        }
        return facts + [("Account", account)]
    }
}

extension OpenStorePriceConsentQuestion {
    /// What a customer decides by, with its labels.
    var facts: [(label: String, value: String)] {
        [
            ("Product", title), ("Price now", currentPrice), ("New price", newPrice),
            ("Account", account),
        ]
    }
}
