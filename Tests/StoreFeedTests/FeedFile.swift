import Foundation

/// A table of the feed as importers read it, strictly: what is not exactly as it has to be is an
/// error.
struct FeedFile {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    let columns: [String]
    let primaryKey: [String]
    let types: [String]
    let mode: String
    let legal: [String]
    /// By column; nothing for NULL.
    let rows: [[String: String]]

    init(_ data: Data) throws {
        guard data.count >= 40 else { throw Malformed(description: "\(data.count) bytes") }
        var records = Self.records(data)
        guard records.last?.isEmpty == true else {
            throw Malformed(description: "the last record has no end")
        }
        records.removeLast()
        guard records.count >= 8 else {
            throw Malformed(description: "\(records.count) records")
        }
        let names = try Self.text(records[0], behind: "#")
        let columns = names.split(separator: "\u{1}").map(String.init)
        guard Set(columns).count == columns.count else {
            throw Malformed(description: "a column twice: \(names)")
        }
        // As importers do: six records behind the columns, whatever they are.
        let header = records[1...6]
        for record in header where record.first != UInt8(ascii: "#") {
            throw Malformed(description: "header: \(String(decoding: record, as: UTF8.self))")
        }
        func fields(_ index: Int, _ label: String) throws -> [String] {
            try Self.text(records[index], behind: label)
                .split(separator: "\u{1}", omittingEmptySubsequences: true).map(String.init)
        }
        primaryKey = try fields(1, "#primaryKey:")
        types = try fields(2, "#dbTypes:")
        mode = try Self.text(records[3], behind: "#exportMode:")
        legal = try (4...6).map { try Self.text(records[$0], behind: "##legal: ") }
        let last = records.removeLast()
        let count = try Self.text(last, behind: "#recordsWritten:")
        guard last.count + 2 <= 40 else { throw Malformed(description: "a long last record") }
        let data = records[7...]
        guard Int(count) == data.count, types.count == columns.count,
            Set(primaryKey).isSubset(of: Set(columns))
        else { throw Malformed(description: "\(count) of \(data.count) records") }
        rows = try data.map { record in
            let values = record.split(separator: 1, omittingEmptySubsequences: false)
            guard values.count == columns.count else {
                throw Malformed(description: "\(values.count) values for \(columns.count)")
            }
            guard record.first != UInt8(ascii: "#") else {
                throw Malformed(description: "a record that looks like a comment")
            }
            return Dictionary(
                uniqueKeysWithValues: try zip(columns, values).map { name, value in
                    guard let text = String(bytes: value, encoding: .utf8) else {
                        throw Malformed(description: "\(name) is not UTF-8")
                    }
                    return (name, text)
                })
        }
        self.columns = columns
    }

    /// What stands between the ends of records.
    private static func records(_ data: Data) -> [Data] {
        var records: [Data] = []
        var start = data.startIndex
        var index = data.startIndex
        while index < data.endIndex {
            if data[index] == 2, index + 1 < data.endIndex, data[index + 1] == UInt8(ascii: "\n") {
                records.append(Data(data[start..<index]))
                index += 2
                start = index
            } else {
                index += 1
            }
        }
        return records + [Data(data[start...])]
    }

    private static func text(_ record: Data, behind label: String) throws -> String {
        let text = String(decoding: record, as: UTF8.self)
        guard text.hasPrefix(label) else { throw Malformed(description: "\(label) \(text)") }
        return String(text.dropFirst(label.count))
    }
}
