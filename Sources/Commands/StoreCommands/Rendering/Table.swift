import Foundation
import StoreModel

/// A table for people: columns as wide as their widest cell. Control characters of cells don't
/// reach the terminal: what stands in them others may have written.
struct Table: Sendable {
    let header: [String]
    var rows: [[String]] = []
    /// Columns that are set flush right.
    var rightAligned: Set<Int> = []

    init(_ header: [String], rightAligned: Set<Int> = []) {
        self.header = header
        self.rightAligned = rightAligned
    }

    func text(on output: Output, indent: String = "") -> String {
        let rows = rows.map { $0.map(\.withoutControls) }
        let lines = [header] + rows
        let widths = header.indices.map { column in
            lines.map { $0[column].terminalWidth }.max() ?? 0
        }
        func row(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let space = String(
                    repeating: " ", count: widths[column] - cells[column].terminalWidth)
                return rightAligned.contains(column)
                    ? space + cells[column] : cells[column] + space
            }
            var line = padded.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
        var text = indent + output.styled(row(header), .bold) + "\n"
        for cells in rows { text += indent + row(cells) + "\n" }
        return text
    }
}

extension String {
    /// The text with a sign for each control character in it (Unicode's general category Cc).
    var withoutControls: String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    }
}

/// Bytes as people read them: 1,234 bytes, 5.6 MB.
func formattedBytes(_ count: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB"]
    guard count >= 1000 else { return "\(count) bytes" }
    var value = Double(count)
    var unit = -1
    while value >= 999.5, unit + 1 < units.count {
        value /= 1000
        unit += 1
    }
    return String(format: value < 10 ? "%.1f %@" : "%.0f %@", value, units[unit])
}

/// Seconds as people read them: 0:07, 12:30.
func formattedDuration(_ seconds: TimeInterval) -> String {
    let whole = Int(seconds.rounded(.up))
    return "\(whole / 60):" + String(format: "%02d", whole % 60)
}
