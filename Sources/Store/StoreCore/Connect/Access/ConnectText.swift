import Foundation

/// Rules for short texts that people write into forms.
package enum ConnectText {
    /// The text without white space around it.
    ///
    /// - Parameters:
    ///   - field: its name in the API.
    ///   - name: its name in sentences, for example `name`.
    ///   - range: how many Unicode scalars it may have.
    ///   - allowsBidirectionalControls: whether it may have characters that change the direction of the text
    ///     around it.
    /// - Throws: `ConnectRefusal` with the rules `textMissing`, `textLength`, `textCharacters` or
    ///   `textDirection`.
    package static func checked(
        _ text: String, field: String, name: String, in range: ClosedRange<Int>,
        allowsLines: Bool = false, allowsBidirectionalControls: Bool = true
    ) throws(ConnectRefusal) -> String {
        let rule = TextRule(
            length: range, allowsLines: allowsLines,
            allowsBidirectionalControls: allowsBidirectionalControls)
        do {
            return try rule.checked(text)
        } catch {
            throw refusal(error, field, name, range)
        }
    }

    private static func refusal(
        _ violation: TextRule.Violation, _ field: String, _ name: String, _ range: ClosedRange<Int>
    ) -> ConnectRefusal {
        switch violation {
        case .empty:
            ConnectRefusal(
                .invalid, rule: "textMissing", field: field, "The \(name) is empty.",
                help: "Give \(range.lowerBound) to \(range.upperBound) characters.")
        case .length(let count):
            ConnectRefusal(
                .invalid, rule: "textLength", field: field,
                "The \(name) has \(count) characters.",
                help: "Give \(range.lowerBound) to \(range.upperBound) characters.")
        case .characters:
            ConnectRefusal(
                .invalid, rule: "textCharacters", field: field,
                "The \(name) contains characters that can't be seen.",
                help: "Take out control characters.")
        case .direction:
            ConnectRefusal(
                .invalid, rule: "textDirection", field: field,
                "The \(name) contains characters that turn the direction of writing.",
                help: "Take them out; text in any writing needs none.")
        }
    }

    /// An email address as it is kept.
    ///
    /// - Throws: `ConnectRefusal` with the rule `emailMalformed`.
    package static func email(_ text: String) throws -> String {
        guard let address = EmailAddress.wellFormed(text) else {
            throw ConnectRefusal(
                .invalid, rule: "emailMalformed", field: "email",
                "\(quoted(text)) is not an email address.",
                help: "Give one such as ada@example.com.")
        }
        return address
    }

    /// Whether a text has no control characters; line feeds and tabs are such.
    package static func isClean(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: TextRule.isControl)
    }
}

/// A value of a request in a sentence: short, and without characters that would change it.
package func quoted(_ text: String) -> String {
    let visible = text.unicodeScalars.prefix(100).map { scalar in
        scalar.properties.generalCategory == .control ? " " : String(scalar)
    }
    return "\"\(visible.joined())\(text.unicodeScalars.count > 100 ? "…" : "")\""
}
