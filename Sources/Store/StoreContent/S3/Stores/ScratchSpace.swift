import Foundation
import StoreCore
import StoreKernel
import StoreModel
import Synchronization

/// Room for files without names, which bytes are brought into on their way to a client.
///
/// All of them together get a share of what is free beside them, so that those who read slowly, or
/// ask for much, fill no disk. Files are handed over with their descriptor, and nobody says when it
/// is closed; what is open is looked up where there seems to be no room left.
final class ScratchSpace: Sendable {
    /// Bytes that were promised to files, by the names that the files had.
    private struct State {
        var promised: [String: UInt64] = [:]
        var total: UInt64 = 0
        /// With so many files it is looked which of them are still there.
        var sweepCount = ScratchSpace.sweepCount

        mutating func forget(_ name: String) {
            if let length = promised.removeValue(forKey: name) { total -= length }
        }
    }

    private static let sweepCount = 256

    let folder: URL
    private let share: UInt64
    private let state = Mutex(State())
    private let free: @Sendable (URL) throws -> UInt64

    /// - Parameters:
    ///   - folder: made when it is first needed.
    ///   - share: what is free is divided by it.
    ///   - free: bytes that are free where a folder is.
    init(
        folder: URL, share: UInt64,
        free: @escaping @Sendable (URL) throws -> UInt64 = ScratchSpace.free
    ) {
        self.folder = folder
        self.share = share
        self.free = free
    }

    /// Bytes that are free where the files lie.
    func freeBytes() throws -> UInt64 {
        try makeFolder()
        return try free(folder)
    }

    /// A file with room for some bytes.
    ///
    /// - Throws: `ContentBusy` where others have the room; `ObjectStoreError` with `disk` where
    ///   there is none.
    func file(length: UInt64) throws -> ScratchFile {
        try makeFolder()
        let file = try ScratchFile(in: folder) { [self] name in
            state.withLock { $0.forget(name) }
        }
        let room = try free(folder) / share
        try state.withLock { state in
            func fits() -> Bool { length <= room && state.total <= room - length }
            if state.promised.count >= state.sweepCount || !fits() { sweep(&state) }
            guard fits() else {
                guard state.total == 0 else { throw ContentBusy() }
                throw ObjectStoreError(
                    .disk, "There is no room for \(length) bytes in \(folder.path).")
            }
            state.promised[file.name] = length
            state.total += length
        }
        return file
    }

    /// Forgets the files that no descriptor of this process leads to.
    private func sweep(_ state: inout State) {
        let descriptors = "/proc/self/fd"
        guard let open = try? FileManager.default.contentsOfDirectory(atPath: descriptors) else {
            return
        }
        // The system tells the name that a file had: a number would be given to others after it.
        let names = Set(
            open.compactMap { descriptor -> Substring? in
                let path = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "\(descriptors)/\(descriptor)")
                return path?.split(scalar: "/").last?.prefix { $0 != " " }
            })
        for name in state.promised.keys where !names.contains(name[...]) { state.forget(name) }
        state.sweepCount = max(Self.sweepCount, 2 * state.promised.count)
    }

    private func makeFolder() throws {
        guard access(folder.path, W_OK) != 0 else { return }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    @Sendable static func free(_ folder: URL) throws -> UInt64 {
        guard let free = DiskSpace.free(at: folder) else {
            throw ObjectStoreError.system(folder.path)
        }
        return UInt64(free)
    }
}
