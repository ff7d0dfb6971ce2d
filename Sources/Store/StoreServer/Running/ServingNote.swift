import Foundation

/// Where a running store is reached, left in its folder for commands that know the folder.
package struct ServingNote: Codable, Sendable, Hashable {
    package static let fileName = "serving.json"

    /// Scheme, host and port, the one that this machine reaches most surely first.
    package var addresses: [String]
    package var process: Int32

    /// - Parameters:
    ///   - address: where it listens.
    ///   - publicAddress: where customers reach it; nil where the operator has not said.
    package init(address: String, publicAddress: String?, process: Int32 = getpid()) {
        let both = [address] + [publicAddress].compactMap { $0 }.filter { $0 != address }
        // A certificate is for the public name.
        addresses = address.hasPrefix(scalars: "https:") ? both.reversed() : both
        self.process = process
    }

    /// The note of the store that runs over a folder; nil where none runs: one that was killed has
    /// left a file that nobody holds.
    package static func read(in folder: URL) -> ServingNote? {
        let file = folder.appendingPathComponent(fileName)
        guard case .note(let note) = LeftNote.read(ServingNote.self, at: file) else { return nil }
        return note
    }

    /// Leaves the note in a folder.
    ///
    /// - Parameter check: looks whether it may be left; no other process leaves one meanwhile.
    /// - Returns: what takes it away again; whoever drops it does, too.
    /// - Throws: `LeftNoteError`; what `check` throws.
    package func leave(
        in folder: URL, after check: () throws -> Void = {}
    ) throws -> LeftNote {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LeftNoteError(path: folder.path, code: errno) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw LeftNoteError(path: folder.path, code: errno) }
        }
        try check()
        return try LeftNote(self, at: folder.appendingPathComponent(Self.fileName))
    }
}
