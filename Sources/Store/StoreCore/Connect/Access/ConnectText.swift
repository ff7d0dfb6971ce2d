import Foundation
import StoreModel

/// Rules for short texts that people write into forms.
package enum ConnectText {
    /// The text without spaces around it.
    ///
    /// - Parameters:
    ///   - field: its name in the API.
    ///   - name: its name in sentences, for example `name`.
    ///   - range: how many characters it may have.
    /// - Throws: `ConnectRefusal` with the rules `textMissing`, `textLength` or
    ///   `textCharacters`.
    package static func checked(
        _ text: String, field: String, name: String, in range: ClosedRange<Int>,
        allowsLines: Bool = false
    ) throws -> String {
        let text = isBare(text) ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty || range.contains(0) else {
            throw ConnectRefusal(
                .invalid, rule: "textMissing", field: field, "The \(name) is empty.",
                help: "Give \(range.lowerBound) to \(range.upperBound) characters.")
        }
        guard text.utf8.count <= range.upperBound * 16, range.contains(text.count) else {
            throw ConnectRefusal(
                .invalid, rule: "textLength", field: field,
                "The \(name) has \(text.count) characters.",
                help: "Give \(range.lowerBound) to \(range.upperBound) characters.")
        }
        let isClean = text.unicodeScalars.allSatisfy { scalar in
            !isControl(scalar)
                || (allowsLines && (scalar == "\n" || scalar == "\r" || scalar == "\t"))
        }
        guard isClean else {
            throw ConnectRefusal(
                .invalid, rule: "textCharacters", field: field,
                "The \(name) contains characters that can't be seen.",
                help: "Take out control characters.")
        }
        return text
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

    /// Whether a text certainly begins and ends without spaces, as most do.
    private static func isBare(_ text: String) -> Bool {
        let visible: ClosedRange<UInt32> = 0x21...0x7E
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
            return true
        }
        return visible.contains(first.value) && visible.contains(last.value)
    }

    /// Whether a text has no control characters, nor ends of lines.
    package static func isClean(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: isControl)
    }

    /// Unicode's general category Cc, which is closed.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}

/// A value of a request in a sentence: short, and without characters that would change it.
package func quoted(_ text: String) -> String {
    let visible = text.unicodeScalars.prefix(100).map { scalar in
        scalar.properties.generalCategory == .control ? " " : String(scalar)
    }
    return "\"\(visible.joined())\(text.unicodeScalars.count > 100 ? "…" : "")\""
}
