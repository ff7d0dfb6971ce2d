import Foundation
import StoreModel

/// Writes one table into a file, record by record; what waits to be written is bounded.
///
/// Used by one task at a time.
final class FeedTableFile {
    /// Bytes that wait at most, and a record.
    private static let capacity = 256 << 10

    let table: FeedTable
    let url: URL
    private(set) var records: Int64 = 0
    private let descriptor: Int32
    private let exportDate: [UInt8]
    private var buffer: [UInt8]
    /// The column that the next value is for.
    private var column = 0

    /// - Parameters:
    ///   - isFull: whether the file replaces all that a partner has of the table.
    ///   - date: the export's.
    /// - Throws: `FeedError`, as all methods do.
    init(_ table: FeedTable, at url: URL, isFull: Bool, date: Date) throws {
        self.table = table
        self.url = url
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FeedError.system(url.path) }
        var exportDate: [UInt8] = []
        let milliseconds = Int64(clamping: (date.timeIntervalSince1970 * 1000).rounded())
        FeedRecordFormat.append(milliseconds, to: &exportDate)
        self.exportDate = exportDate
        buffer = FeedRecordFormat.header(of: table, isFull: isFull)
        buffer.reserveCapacity(Self.capacity + (64 << 10))
    }

    deinit { close(descriptor) }

    /// Writes a record: `fields` adds a value for each column behind `export_date`, in order.
    func write(_ fields: (FeedTableFile) -> Void) throws {
        buffer.append(contentsOf: exportDate)
        column = 1
        fields(self)
        precondition(
            column == table.columns.count, "\(table.name) got \(column) values for its columns")
        buffer.append(FeedRecordFormat.recordEnd)
        buffer.append(UInt8(ascii: "\n"))
        records += 1
        if buffer.count >= Self.capacity { try flush() }
    }

    // MARK: Values

    func add(_ number: Int64?) {
        begin()
        if let number { FeedRecordFormat.append(number, to: &buffer) }
    }

    func add(_ number: Int?) { add(number.map(Int64.init)) }

    func add(_ flag: Bool?) { add(flag.map { $0 ? Int64(1) : 0 }) }

    /// Nothing for nil: an importer's NULL.
    func add(_ text: String?) {
        var limit: Int?
        if case .varchar(let length) = table.columns[column].type { limit = length }
        begin()
        if let text { FeedRecordFormat.append(text, limit: limit, to: &buffer) }
    }

    func add(_ price: Money?) {
        begin()
        if let price { FeedRecordFormat.append(thousandths: price.thousandths, to: &buffer) }
    }

    /// The day of a moment, in UTC.
    func add(_ date: Date?) {
        begin()
        if let day = date.flatMap(CalendarDay.init(of:)) {
            FeedRecordFormat.append(day, to: &buffer)
        }
    }

    /// NULL in so many columns.
    func addNothing(_ count: Int = 1) {
        for _ in 0..<count { begin() }
    }

    private func begin() {
        buffer.append(FeedRecordFormat.fieldEnd)
        column += 1
    }

    // MARK: Writing

    /// Writes the last record; nothing may be written afterwards.
    ///
    /// - Returns: the size of the file in bytes.
    func finish() throws -> Int64 {
        buffer += FeedRecordFormat.footer(records: records)
        try flush()
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FeedError.system(url.path) }
        return Int64(status.st_size)
    }

    private func flush() throws {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw FeedError.system(url.path)
            }
            written += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
