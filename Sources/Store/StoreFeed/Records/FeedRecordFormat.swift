import Foundation
import StoreModel

/// The bytes of the feed's records.
enum FeedRecordFormat {
    static let fieldEnd: UInt8 = 0x01
    /// Followed by a line feed.
    static let recordEnd: UInt8 = 0x02

    /// Importers read six records behind the one with the columns' names, whatever they are;
    /// with the three before them, these are as many.
    static let legal = [
        "The data in this file is for partners that the store has approved.",
        "It may be used to show what the store sells, and to link to it.",
        "It may not be passed on to others as a whole or in substantial parts.",
    ]

    /// The records at the beginning of a table's file.
    static func header(of table: FeedTable, isFull: Bool) -> [UInt8] {
        let fields = "\u{1}"
        let records =
            [
                "#" + table.columns.map(\.name).joined(separator: fields),
                "#primaryKey:" + table.primaryKey.joined(separator: fields),
                "#dbTypes:" + table.columns.map(\.type.name).joined(separator: fields),
                "#exportMode:" + (isFull ? "FULL" : "INCREMENTAL"),
            ] + legal.map { "##legal: " + $0 }
        return records.flatMap { Array($0.utf8) + [recordEnd, UInt8(ascii: "\n")] }
    }

    /// The last record.
    static func footer(records: Int64) -> [UInt8] {
        Array("#recordsWritten:\(records)".utf8) + [recordEnd, UInt8(ascii: "\n")]
    }

    /// Appends a text without what would end a field or a record, or could be seen by nobody:
    /// control characters are left out but for tab, line feed and carriage return.
    ///
    /// - Parameter limit: as many characters (Unicode scalars) are kept; nil for all.
    static func append(_ text: String, limit: Int?, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            let isShort = limit.map { utf8.count <= $0 } ?? true
            if isShort, !utf8.contains(where: isLeftOut) {
                bytes.append(contentsOf: utf8)
                return
            }
            var room = limit ?? Int.max
            for byte in utf8 where !isLeftOut(byte) {
                if byte & 0xc0 != 0x80 {
                    if room == 0 { return }
                    room -= 1
                }
                bytes.append(byte)
            }
        }
    }

    private static func isLeftOut(_ byte: UInt8) -> Bool {
        byte == 0x7f || (byte < 0x20 && byte != 0x09 && byte != 0x0a && byte != 0x0d)
    }

    static func append(_ number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        append(digits: number.magnitude, atLeast: 1, to: &bytes)
    }

    /// Thousandths as `0.990`.
    static func append(thousandths: Int64, to bytes: inout [UInt8]) {
        if thousandths < 0 { bytes.append(UInt8(ascii: "-")) }
        append(digits: thousandths.magnitude / 1000, atLeast: 1, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        append(digits: thousandths.magnitude % 1000, atLeast: 3, to: &bytes)
    }

    /// A day as `2009 06 21`.
    static func append(_ day: CalendarDay, to bytes: inout [UInt8]) {
        append(digits: UInt64(day.year), atLeast: 4, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        append(digits: UInt64(day.month), atLeast: 2, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        append(digits: UInt64(day.day), atLeast: 2, to: &bytes)
    }

    private static func append(digits: UInt64, atLeast count: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = digits
        while rest > 0 || bytes.count - start < count {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        bytes[start...].reverse()
    }
}
