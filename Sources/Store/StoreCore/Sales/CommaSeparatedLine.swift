import Foundation

/// A line of a table of comma-separated values (RFC 4180), as spreadsheets read them.
package enum CommaSeparatedLine {
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
        if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first),
            !isNumber
        {
            text = "'" + text
        }
        // By scalars: a line break of two is one character of its own.
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) })
        else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
