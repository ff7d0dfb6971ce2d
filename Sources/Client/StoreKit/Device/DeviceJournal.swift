import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// The device's own record of payments that are not over yet: an append-only file, each
/// line with a checksum, brought to disk before `put` returns.
///
/// The last record of a key counts. A damaged tail, as a power failure leaves it, is cut
/// off and reported. One process at a time has it open.
package final class DeviceJournal: Sendable {
    private struct Record: Codable {
        var put: JournalEntry?
        var remove: PurchaseKey?
    }

    private struct Content {
        var handle: FileHandle
        var length: UInt64
        var order: [PurchaseKey]
        var entries: [PurchaseKey: JournalEntry]
    }

    private static let header = "openstore-journal 1\n"

    private let lock: FileHandle
    private let content: Mutex<Content>

    /// Opens the journal of a store and environment in a folder.
    ///
    /// - Parameter tag: tells stores and environments apart: what was confirmed in the
    ///   sandbox is never sent to production.
    /// - Throws: `SKError.clientInvalid` where another process of the app has it open, or a
    ///   newer version wrote it; an error of the file system where it can't be read or
    ///   written.
    package init(folder: URL, tag: String, log: (String) -> Void) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        lock = try Self.lock(folder.appendingPathComponent("journal-\(tag).lock"))
        let file = folder.appendingPathComponent("journal-\(tag)")
        // A journal that can't be read is not an empty one.
        let data = access(file.path, F_OK) == 0 ? try Data(contentsOf: file) : Data()
        let read = try Self.read(data)
        if read.cut > 0 {
            log(
                "The journal \(file.path) was damaged at its end: \(read.cut) bytes were cut off. "
                    + "What the store knows comes back from there.")
        }
        // Written anew each time: what is over does not pile up.
        var text = Data(Self.header.utf8)
        for key in read.order {
            if let entry = read.entries[key] { text += try Self.line(Record(put: entry)) }
        }
        if text != data { try DurableFile.write(text, to: file, mode: 0o600) }
        let handle = try FileHandle(forWritingTo: file)
        let length = try handle.seekToEnd()
        content = Mutex(
            Content(handle: handle, length: length, order: read.order, entries: read.entries))
    }

    /// Every entry, in the order in which its payment was added.
    var entries: [JournalEntry] {
        content.withLock { content in content.order.compactMap { content.entries[$0] } }
    }

    func entry(_ key: PurchaseKey) -> JournalEntry? {
        content.withLock { $0.entries[key] }
    }

    /// Writes entries; on disk when it returns.
    func put(_ entries: [JournalEntry]) throws {
        try append(entries.map { Record(put: $0) }) { content in
            for entry in entries {
                if content.entries.updateValue(entry, forKey: entry.key) == nil {
                    content.order.append(entry.key)
                }
            }
        }
    }

    func put(_ entry: JournalEntry) throws {
        try put([entry])
    }

    /// Forgets an entry.
    func remove(_ key: PurchaseKey) throws {
        try append([Record(remove: key)]) { content in
            content.entries[key] = nil
            content.order.removeAll { $0 == key }
        }
    }

    // MARK: File

    private func append(_ records: [Record], _ apply: (inout Content) -> Void) throws {
        guard !records.isEmpty else { return }
        let text = try records.reduce(into: Data()) { $0 += try Self.line($1) }
        try content.withLock { content in
            do {
                try content.handle.write(contentsOf: text)
                try content.handle.synchronize()
            } catch {
                // Half a line must not stay in front of later ones.
                try? content.handle.truncate(atOffset: content.length)
                throw error
            }
            content.length += UInt64(text.count)
            var changed = content
            apply(&changed)
            content = changed
        }
    }

    private static func line(_ record: Record) throws -> Data {
        let json = try WireCoding.encode(record)
        return Data(checksum(json).utf8) + Data(" ".utf8) + json + Data("\n".utf8)
    }

    private static func checksum(_ json: Data) -> String {
        String(SHA256Digest.hex(json).prefix(16))
    }

    /// The entries of all whole lines, and how many bytes behind them are damaged.
    private static func read(
        _ data: Data
    ) throws -> (order: [PurchaseKey], entries: [PurchaseKey: JournalEntry], cut: Int) {
        guard !data.isEmpty else { return ([], [:], 0) }
        guard data.starts(with: Data(header.utf8)) else {
            guard !data.starts(with: Data("openstore-journal ".utf8)) else { throw newerVersion }
            return ([], [:], data.count)
        }
        var order: [PurchaseKey] = []
        var entries: [PurchaseKey: JournalEntry] = [:]
        var position = data.startIndex + header.utf8.count
        while position < data.endIndex {
            guard let end = data[position...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            let line = data[position..<end]
            guard line.count > 17 else { break }
            let json = Data(line.dropFirst(17))
            guard String(decoding: line.prefix(16), as: UTF8.self) == checksum(json) else { break }
            // Whole, and yet not to be understood: it must not be thrown away.
            guard let record = try? WireCoding.decode(Record.self, from: json) else {
                throw newerVersion
            }
            if let entry = record.put {
                if entries.updateValue(entry, forKey: entry.key) == nil { order.append(entry.key) }
            }
            if let key = record.remove {
                entries[key] = nil
                order.removeAll { $0 == key }
            }
            position = end + 1
        }
        return (order, entries, data.endIndex - position)
    }

    private static var newerVersion: SKError {
        SKError(
            .clientInvalid,
            "The journal of this app was written by a newer version of the framework; use that one."
        )
    }

    private static func lock(_ file: URL) throws -> FileHandle {
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFile.failure("can't be opened", file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw SKError(
                .clientInvalid,
                "Another process of this app uses the store at the moment; only one at a time can.")
        }
        return handle
    }
}
