import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// The device's own record of payments that are not over yet, and of what the store has signed for
/// its accounts: lines with a checksum each, brought to disk before a write returns.
///
/// The last record of a key counts. Each says all about its payment, so that a whole line counts
/// whatever stands before it. What is no whole line, such as the tail that a power failure leaves,
/// is set aside in a file of its own, and the log says so. What is over is dropped when the journal
/// is opened, and whenever it outweighs the rest.
package final class DeviceJournal: Sendable {
    /// How far an account's events were heard.
    struct Cursor: Codable, Sendable, Hashable {
        var account: String
        var event: Int64
    }

    /// A line. One that says several things says them at once: they are on disk together.
    private struct Record: Codable {
        var put: JournalEntry?
        var remove: PurchaseKey?
        var cursor: Cursor?
        var history: HistoryChange?
        var revoked: RevokedCertificates?

        var isEmpty: Bool {
            put == nil && remove == nil && cursor == nil && history == nil && revoked == nil
        }
    }

    private struct Content {
        var entries: [PurchaseKey: (order: Int, entry: JournalEntry)] = [:]
        var cursors: [String: Int64] = [:]
        /// By account.
        var histories: [String: AccountHistory] = [:]
        /// Serial numbers of certificates that the store has taken back.
        var revoked: Set<String> = []
        /// Lines in the storage.
        private(set) var lines = 0
        /// Bytes in the storage, and how many there were when it was written anew.
        private var size = 0
        private var compactSize = 0
        /// Grows with each new entry.
        var count = 0

        mutating func apply(_ record: Record) {
            lines += 1
            if let entry = record.put {
                if entries[entry.key] == nil { count += 1 }
                let order = entries[entry.key]?.order ?? count
                entries[entry.key] = (order, entry)
            }
            if let key = record.remove { entries[key] = nil }
            if let cursor = record.cursor { cursors[cursor.account] = cursor.event }
            if let change = record.history {
                histories[change.account, default: AccountHistory()].apply(change)
            }
            if let list = record.revoked { revoked = list.serials }
        }

        /// How many lines would say the same, about.
        private var live: Int {
            entries.count + cursors.count + (revoked.isEmpty ? 0 : 1)
                + histories.values.reduce(0) { $0 + $1.transactions.count + 1 }
        }

        /// Notes that bytes were appended to the storage.
        mutating func grew(by bytes: Int) { size += bytes }

        /// Notes that the storage was written anew.
        mutating func wroteAnew(lines: Int, size: Int) {
            (self.lines, self.size, compactSize) = (lines, size, size)
        }

        /// Whether what is over outweighs what counts, by lines or by bytes.
        var isWasteful: Bool {
            lines > max(DeviceJournal.compactionFloor, live * DeviceJournal.compactionFactor)
                || size
                    > max(
                        DeviceJournal.compactionFloorBytes,
                        compactSize * DeviceJournal.compactionFactor)
        }

        var ordered: [JournalEntry] {
            entries.values.sorted { $0.order < $1.order }.map(\.entry)
        }

        var records: [Record] {
            var records = ordered.map { Record(put: $0) }
            if !revoked.isEmpty { records.append(Record(revoked: RevokedCertificates(revoked))) }
            records += cursors.sorted { $0.key < $1.key }.map {
                Record(cursor: Cursor(account: $0.key, event: $0.value))
            }
            for (account, history) in histories.sorted(by: { $0.key < $1.key }) {
                records += history.changes(of: account).map { Record(history: $0) }
            }
            return records
        }
    }

    private static let name = "openstore-journal "
    private static let header = "\(name)1\n"
    /// The journal is written anew when it has more than this many lines or bytes, and more than
    /// this many times what is still needed.
    private static let compactionFloor = 500
    private static let compactionFloorBytes = 4 << 20
    private static let compactionFactor = 4

    private let storage: any JournalStorage
    private let content: Mutex<Content>

    /// Opens the journal that lies in a storage.
    ///
    /// - Throws: `SKError.clientInvalid` where a newer version wrote it; an error of the file
    ///   system where it can't be read or written.
    package init(storage: any JournalStorage, log: (String) -> Void) throws {
        self.storage = storage
        let data = try storage.read()
        var (content, damaged) = try Self.read(data)
        if !damaged.isEmpty {
            let place = try storage.setAside(damaged)
            log(
                "The journal \(storage.name) was damaged: \(damaged.count) bytes of it were set "
                    + "aside in \(place). What the store knows comes back from there.")
        }
        // Written anew each time: what is over does not pile up.
        let records = content.records
        let text = try Self.text(records)
        if text != data { try storage.replace(text) }
        content.wroteAnew(lines: records.count, size: text.count)
        self.content = Mutex(content)
    }

    /// Every entry, in the order in which its payment was added.
    var entries: [JournalEntry] { content.withLock { $0.ordered } }

    func entry(_ key: PurchaseKey) -> JournalEntry? {
        content.withLock { $0.entries[key]?.entry }
    }

    /// The entry whose order has a purchase key.
    func entry(ordering key: PurchaseKey) -> JournalEntry? {
        content.withLock { content in
            if let entry = content.entries[key]?.entry, entry.purchaseKey == key { return entry }
            return content.entries.values.first { $0.entry.purchaseKey == key }?.entry
        }
    }

    /// The last event that an account's devices have heard; nil where this one heard none.
    func cursor(of account: String) -> Int64? {
        content.withLock { $0.cursors[account] }
    }

    /// Whether the app has ever used StoreKit 2 while somebody was signed in.
    var hasHistories: Bool { content.withLock { !$0.histories.isEmpty } }

    /// The history of an account; nil if the device has none.
    func history(of account: String) -> AccountHistory? {
        content.withLock { $0.histories[account] }
    }

    /// The serial numbers of certificates that the store has taken back, as it said last.
    var revokedCertificates: Set<String> { content.withLock { $0.revoked } }

    /// Writes which certificates the store has taken back.
    ///
    /// - Returns: whether they are others than before.
    func put(_ revoked: RevokedCertificates) throws -> Bool {
        guard revokedCertificates != revoked.serials else { return false }
        try write([Record(revoked: revoked)])
        return true
    }

    /// Writes steps of an account's history; on disk when it returns.
    func put(_ changes: [HistoryChange]) throws {
        try write(changes.map { Record(history: $0) })
    }

    /// Writes an entry and a step of an account's history at once.
    func put(_ entry: JournalEntry, _ change: HistoryChange) throws {
        try write([Record(put: entry, history: change)])
    }

    /// Writes entries; on disk when it returns.
    func put(_ entries: [JournalEntry]) throws {
        try write(entries.map { Record(put: $0) })
    }

    /// Writes an entry, and with it how far events were heard.
    func put(_ entry: JournalEntry, cursor: Cursor? = nil) throws {
        try write([Record(put: entry, cursor: cursor)])
    }

    /// Writes how far events were heard.
    func put(_ cursor: Cursor) throws {
        guard self.cursor(of: cursor.account) != cursor.event else { return }
        try write([Record(cursor: cursor)])
    }

    /// Writes where an account's events stood, unless it is known how far they were heard.
    func begin(_ cursor: Cursor) throws {
        try write([Record(cursor: cursor)]) { $0.cursors[cursor.account] == nil }
    }

    /// Writes the cursor of the listener's first answer for an account.
    ///
    /// A purchase may have written its own cursor while the listener waited for that answer. The journal
    /// keeps the lower of the two, so that the listener hears the events between them.
    func beginListening(at cursor: Cursor) throws {
        try write([Record(cursor: cursor)]) { cursor.event < $0.cursors[cursor.account] ?? .max }
    }

    /// Forgets an entry.
    func remove(_ key: PurchaseKey) throws {
        try write([Record(remove: key)])
    }

    /// Forgets an entry that the app is done with, unless the transaction was restored since.
    func removeFinished(_ key: PurchaseKey) throws {
        try write([Record(remove: key)]) { $0.entries[key]?.entry.isFinishing ?? false }
    }

    // MARK: Lines

    private func write(
        _ records: [Record], if condition: (Content) -> Bool = { _ in true }
    ) throws {
        guard !records.isEmpty else { return }
        let text = try records.reduce(into: Data()) { $0 += try Self.line($1) }
        try content.withLock { content in
            guard condition(content) else { return }
            try storage.append(text)
            for record in records { content.apply(record) }
            content.grew(by: text.count)
            guard content.isWasteful else { return }
            // Everything is written; that it takes more room than it has to is no failure.
            let kept = content.records
            guard let compact = try? Self.text(kept), (try? storage.replace(compact)) != nil
            else { return }
            content.wroteAnew(lines: kept.count, size: compact.count)
        }
    }

    private static func text(_ records: [Record]) throws -> Data {
        try records.reduce(into: Data(header.utf8)) { $0 += try line($1) }
    }

    private static func line(_ record: Record) throws -> Data {
        let json = try WireCoding.encode(record)
        return Data(checksum(json).utf8) + Data(" ".utf8) + json + Data("\n".utf8)
    }

    private static func checksum(_ json: Data) -> String {
        String(SHA256Digest.hex(json).prefix(16))
    }

    /// What all whole lines say, and everything else.
    private static func read(_ data: Data) throws -> (content: Content, damaged: Data) {
        var content = Content()
        var damaged = Data()
        var position = data.startIndex
        while let end = data[position...].firstIndex(of: newline) {
            let line = data[position..<end]
            defer { position = end + 1 }
            if position == data.startIndex {
                if data[...end] == Data(header.utf8) { continue }
                guard !isOtherVersion(line) else { throw newerVersion }
            }
            // Two lines are one where the end of the first is damaged; the second is whole.
            guard let start = line.indices.first(where: { isWhole(line[$0...]) }) else {
                damaged += data[position...end]
                continue
            }
            damaged += line[..<start]
            // Whole, and yet not to be understood: it must not be thrown away.
            guard
                let record = try? WireCoding.decode(
                    Record.self, from: Data(line[start...].dropFirst(checksumLength))),
                !record.isEmpty
            else { throw newerVersion }
            content.apply(record)
        }
        return (content, damaged + data[position...])
    }

    private static let newline = UInt8(ascii: "\n")
    /// Of the checksum and the space behind it.
    private static let checksumLength = 17

    /// Whether bytes are a line's, as it was written.
    private static func isWhole(_ line: Data) -> Bool {
        let json = line.dropFirst(checksumLength)
        // Most places in a line are no beginning of one, which costs no checksum to see.
        guard json.first == UInt8(ascii: "{"), line.dropFirst(checksumLength - 1).first == 0x20
        else { return false }
        return line.prefix(checksumLength).elementsEqual("\(checksum(Data(json))) ".utf8)
    }

    /// Whether a first line is the header of another version, and whole.
    private static func isOtherVersion(_ line: Data) -> Bool {
        let number = line.dropFirst(name.utf8.count)
        return line.starts(with: Data(name.utf8)) && (1...9).contains(number.count)
            && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static var newerVersion: SKError {
        SKError(
            .clientInvalid,
            "The journal of this app was written by a newer version of the framework; use that one."
        )
    }
}
