import Foundation

/// Where a running store takes clients of Apple's servers in, left in its folder for commands that
/// start such clients.
///
/// The store holds a lock on the file for as long as it runs: a file that nobody holds was left by
/// one that was killed.
package struct InterceptionNote: Codable, Sendable, Hashable {
    package static let fileName = "intercept.json"

    /// Addresses that the store has; clients reach them without the proxy.
    package var store: [String]
    /// Host and port of the proxy.
    package var proxy: String
    /// The file with the root certificate of the interception.
    package var root: String
    package var process: Int32

    package init(store: [String], proxy: String, root: String, process: Int32) {
        self.store = store
        self.proxy = proxy
        self.root = root
        self.process = process
    }

    /// Reads the note of the store that runs over a folder.
    ///
    /// - Throws: `InterceptionNoteError` where there is none.
    package static func read(in folder: URL) throws -> InterceptionNote {
        let path = folder.appendingPathComponent(fileName).path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InterceptionNoteError.missing(folder) }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else {
            throw InterceptionNoteError.left(path)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        guard let data = try file.readToEnd(),
            let note = try? JSONDecoder().decode(InterceptionNote.self, from: data)
        else { throw InterceptionNoteError.unreadable(path) }
        return note
    }

    /// Leaves the note in a folder.
    ///
    /// - Returns: what takes it away again; whoever drops it does, too.
    package func leave(in folder: URL) throws -> LeftNote {
        try LeftNote(self, at: folder.appendingPathComponent(Self.fileName))
    }
}

/// A note that is there as long as this is.
package final class LeftNote: Sendable {
    private let path: String
    private let descriptor: Int32

    fileprivate init(_ note: InterceptionNote, at file: URL) throws {
        path = file.path
        // Locked before it has its name, so that nobody finds it without.
        let partial = path + ".\(UUID().uuidString)"
        descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw InterceptionNoteError.unwritable(path, errno) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let bytes = try encoder.encode(note) + Data("\n".utf8)
        let isWritten = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isWritten == bytes.count,
            rename(partial, path) == 0
        else {
            defer { unlink(partial) }
            throw InterceptionNoteError.unwritable(path, errno)
        }
    }

    deinit {
        // Another store over the same folder may have put its own in the place.
        var (own, there) = (stat(), stat())
        if fstat(descriptor, &own) == 0, stat(path, &there) == 0, own.st_ino == there.st_ino {
            unlink(path)
        }
        // A program that was just started has the file too, until it becomes another one.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// There is no store to send clients to, or it can't say so.
package enum InterceptionNoteError: Error, Sendable, Hashable, CustomStringConvertible {
    case missing(URL)
    case left(String)
    case unreadable(String)
    case unwritable(String, Int32)

    package var description: String {
        switch self {
        case .missing(let folder):
            "No store that takes clients of Apple's servers in runs over \(folder.path); start one "
                + "with openstore serve --data \(folder.path) --intercept 8888."
        case .left(let path):
            "The store that wrote \(path) does not run any more; start it again with openstore "
                + "serve --intercept."
        case .unreadable(let path):
            "\(path) can't be read; start the store again with openstore serve --intercept."
        case .unwritable(let path, let code):
            "\(path) can't be written: \(String(cString: strerror(code)))"
        }
    }
}
