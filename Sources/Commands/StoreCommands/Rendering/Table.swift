import Foundation
import StoreModel

/// A table for people: columns as wide as their widest cell. No cell leaves its line: what
/// stands in them others may have written.
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
        let rows = rows.map { $0.map { $0.terminalText() } }
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
    let number = value < 10 ? String(format: "%.1f", value) : String(format: "%.0f", value)
    return "\(number) \(units[unit])"
}

/// Seconds as people read them: 0:07, 12:30.
func formattedDuration(_ seconds: TimeInterval) -> String {
    let whole = Int(clamping: seconds.rounded(.up))
    return "\(whole / 60):" + String(format: "%02d", whole % 60)
}
