import StoreKernel
import Synchronization

/// What a journal is written to.
package protocol JournalStorage: Sendable {
    /// Where it lies, for messages.
    var name: String { get }
    /// Everything that was written; empty where nothing was.
    func read() throws -> Data
    /// Adds bytes at the end, on disk when it returns; when it throws, nothing of them stays.
    func append(_ data: Data) throws
    /// Puts other bytes in place of all, entirely or not at all.
    func replace(_ data: Data) throws
    /// Keeps damaged bytes for whoever wants to look into them, apart from the journal.
    ///
    /// - Returns: where they lie, for messages.
    func setAside(_ damaged: Data) throws -> String
}

/// A journal's file, which one process at a time has open.
package final class JournalFile: JournalStorage {
    private struct Open {
        var handle: FileHandle
        var length: UInt64
    }

    private let file: URL
    private let lock: FileHandle
    private let open = Mutex<Open?>(nil)

    /// Opens the file in a folder, which is made where it is missing.
    ///
    /// - Parameter tag: tells stores and environments apart: what was confirmed in the
    ///   sandbox is never sent to production.
    /// - Throws: `SKError.clientInvalid` where another process of the app has it open; an
    ///   error of the file system where it can't be read or written.
    package init(folder: URL, tag: String) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        lock = try Self.lock(folder.appendingPathComponent("journal-\(tag).lock"))
        file = Self.file(in: folder, tag: tag)
    }

    fileprivate static func file(in folder: URL, tag: String) -> URL {
        folder.appendingPathComponent("journal-\(tag)")
    }

    deinit {
        // A program that the app just started has the file too, until it becomes another one.
        flock(lock.fileDescriptor, LOCK_UN)
    }

    package var name: String { file.path }

    package func read() throws -> Data {
        // One that can't be read is not an empty one.
        access(file.path, F_OK) == 0 ? try Data(contentsOf: file) : Data()
    }

    package func append(_ data: Data) throws {
        try open.withLock { open in
            var now = try open ?? Self.opened(file)
            do {
                try now.handle.write(contentsOf: data)
                try now.handle.synchronize()
            } catch {
                // Half a line must not stay in front of later ones.
                try? now.handle.truncate(atOffset: now.length)
                open = now
                throw error
            }
            now.length += UInt64(data.count)
            open = now
        }
    }

    package func replace(_ data: Data) throws {
        try open.withLock { open in
            // Whatever fails: the name may belong to the new file already.
            defer { open = nil }
            try DurableFile.write(data, to: file, mode: 0o600)
        }
    }

    package func setAside(_ damaged: Data) throws -> String {
        let place = file.appendingPathExtension("damaged")
        let earlier = access(place.path, F_OK) == 0 ? try Data(contentsOf: place) : Data()
        // However often a disk damages the journal, its pieces don't fill it.
        let kept = (earlier + damaged).suffix(Self.mostDamaged)
        try DurableFile.write(Data(kept), to: place, mode: 0o600)
        return place.path
    }

    private static let mostDamaged = 1 << 20

    private static func opened(_ file: URL) throws -> Open {
        let descriptor = DurableFile.open(file, O_WRONLY | O_APPEND | O_CREAT, mode: 0o600)
        guard descriptor >= 0 else { throw DurableFile.failure("can't be opened", file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return Open(handle: handle, length: try handle.seekToEnd())
    }

    private static func lock(_ file: URL) throws -> FileHandle {
        let descriptor = Glibc.open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFile.failure("can't be opened", file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw isInUse
        }
        return handle
    }

    fileprivate static var isInUse: SKError {
        SKError(
            .clientInvalid,
            "Another process of this app uses the store at the moment; only one at a time can. "
                + "Tests in several processes get a device each from openstore test.")
    }
}

/// The journal of an app as another process of it has written it: read, and never changed. A line
/// that is being written is not there yet.
struct JournalCopy: JournalStorage {
    private let file: URL

    init(folder: URL, tag: String) {
        file = JournalFile.file(in: folder, tag: tag)
    }

    var name: String { file.path }

    func read() throws -> Data { try Data(contentsOf: file) }

    func append(_ data: Data) throws { throw JournalFile.isInUse }

    /// The other process writes it anew.
    func replace(_ data: Data) {}

    func setAside(_ damaged: Data) -> String { name }
}
