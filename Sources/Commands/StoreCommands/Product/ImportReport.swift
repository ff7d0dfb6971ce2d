import StoreModel
import StoreWire

/// What an import has done, or would do, for people.
struct ImportReport {
    private let report: JSONValue
    private let isRehearsal: Bool

    /// - Parameter report: the attributes of the import; its changes are shown one by one.
    init(_ report: JSONValue, isRehearsal: Bool) {
        self.report = report
        self.isRehearsal = isRehearsal
    }

    /// A product that changes, and what of it.
    func write(change: JSONValue, to output: Output) {
        let isNew = change["kind"]?.text == "added"
        let line = change["line"]?.integer.map { "line \($0): " } ?? ""
        output.line(
            line + (isNew ? "+ " : "~ ") + output.styled(Self.shown(change["productId"]), .bold))
        for difference in change["differences"]?.elements ?? [] {
            output.line("    " + Self.words(difference))
        }
    }

    /// How many there are, and what was not taken.
    func write(to output: Output) {
        let counts = ["added", "changed", "unchanged"].map { report[$0]?.integer ?? 0 }
        output.line(
            "\(isRehearsal ? "Would add" : "Added") \(counts[0]) and "
                + "\(isRehearsal ? "change" : "changed") \(counts[1]) products; "
                + "\(counts[2]) \(isRehearsal ? "would stay" : "stay") as they are.")
        let screenshots = report["screenshots"]?.elements?.count ?? 0
        if screenshots > 0 {
            output.line(
                "\(isRehearsal ? "Would upload" : "Uploaded") \(screenshots) review screenshots.")
        }
        for text in report["notTaken"]?.elements ?? [] {
            output.error("note: not taken: \(Self.shown(text))")
        }
    }

    private static func words(_ difference: JSONValue) -> String {
        let field = shown(difference["field"])
        switch (difference["before"], difference["after"]) {
        case (let before?, let after?): return "\(field): \(shown(before)) → \(shown(after))"
        case (nil, let after?): return "\(field): \(shown(after))"
        case (let before?, nil): return "\(field): \(shown(before)) is taken away"
        case (nil, nil): return field
        }
    }

    /// A text on one line.
    private static func shown(_ value: JSONValue?) -> String {
        let text = value?.text ?? ""
        return String(text.unicodeScalars.prefix(200)).terminalText()
            + (text.unicodeScalars.count > 200 ? "…" : "")
    }
}
