import Foundation

/// A file in a store's folder that says something about a process that runs over it: it is there as
/// long as this value is.
///
/// The process holds a lock on it: a file that nobody holds was left by one that was killed.
package final class LeftNote: Sendable {
    private let path: String
    private let descriptor: Int32

    /// - Throws: `LeftNoteError` where the file can't be written.
    init(_ note: some Encodable, at file: URL) throws {
        path = file.path
        // Locked before it has its name, so that nobody finds it without.
        let partial = path + ".\(UUID().uuidString)"
        descriptor = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw LeftNoteError(path: path, code: errno) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let bytes = try encoder.encode(note) + Data("\n".utf8)
        let isWritten = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isWritten == bytes.count,
            rename(partial, path) == 0
        else {
            defer { unlink(partial) }
            throw LeftNoteError(path: path, code: errno)
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

    /// What is at the place of a note.
    enum Found<Note> {
        case nothing
        /// One that nobody holds any more.
        case left
        case unreadable
        case note(Note)
    }

    static func read<Note: Decodable>(_ type: Note.Type, at file: URL) -> Found<Note> {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .nothing }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return .left }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        guard let data = try? handle.read(upToCount: 1 << 16),
            let note = try? JSONDecoder().decode(type, from: data)
        else { return .unreadable }
        return .note(note)
    }
}

/// A note can't be written.
package struct LeftNoteError: Error, Sendable, Hashable, CustomStringConvertible {
    let path: String
    let code: Int32

    package var description: String {
        "\(path) can't be written: \(String(cString: strerror(code)))"
    }
}
