import Foundation

/// A line of a table of comma-separated values (RFC 4180), as spreadsheets read them.
package enum CSVRow {
    /// The fields, and the end of the line.
    package static func text(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    /// A value as it stands in a line.
    ///
    /// What begins like a formula gets an apostrophe, so that no spreadsheet computes it;
    /// numbers below zero are numbers.
    package static func field(_ text: String) -> String {
        var text = text
        let isNumber = Decimal(string: text).map { "\($0)" == text } ?? false
        if looksLikeFormula(text), !isNumber { text = "'" + text }
        guard text.unicodeScalars.contains(where: ",\"\r\n".unicodeScalars.contains)
        else { return text }
        return "\"" + text.replacing(scalar: "\"", with: "\"\"") + "\""
    }

    /// Also behind what spreadsheets pass over before a formula, and with the signs in the width
    /// of Japanese ones.
    private static func looksLikeFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        let sign = text.unicodeScalars.first { !isPassedOver($0) }
        let signs = "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars
        return "\t\r\n".unicodeScalars.contains(first) || sign.map(signs.contains) ?? false
    }

    private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark, .spaceSeparator,
            .lineSeparator, .paragraphSeparator:
            true
        default: false
        }
    }
}
