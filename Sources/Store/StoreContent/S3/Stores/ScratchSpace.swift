import Foundation
import StoreCore
import Synchronization

/// Room for files without names, which bytes are brought into on their way to a client.
///
/// All of them together get a share of what is free beside them, so that those who read slowly, or
/// ask for much, fill no disk. Files are handed over with their descriptor, and nobody says when it
/// is closed; what is open is looked up where there seems to be no room left.
final class ScratchSpace: Sendable {
    /// Bytes that were promised to files, by the files' numbers.
    private struct State {
        var promised: [UInt64: UInt64] = [:]
        var total: UInt64 = 0
        /// With so many files it is looked which of them are still there.
        var sweepCount = ScratchSpace.sweepCount

        mutating func forget(_ number: UInt64) {
            if let length = promised.removeValue(forKey: number) { total -= length }
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
        let file = try ScratchFile(in: folder) { [self] number in
            guard let number else { return }
            state.withLock { $0.forget(number) }
        }
        guard let number = file.number else { return file }
        let room = try free(folder) / share
        try state.withLock { state in
            // The number of a file that is gone is given to another one.
            state.forget(number)
            func fits() -> Bool { length <= room && state.total <= room - length }
            if state.promised.count >= state.sweepCount || !fits() { sweep(&state) }
            guard fits() else {
                guard state.total == 0 else { throw ContentBusy() }
                throw ObjectStoreError(
                    .disk, "There is no room for \(length) bytes in \(folder.path).")
            }
            state.promised[number] = length
            state.total += length
        }
        return file
    }

    /// Forgets the files that no descriptor of this process leads to.
    private func sweep(_ state: inout State) {
        var place = stat()
        guard stat(folder.path, &place) == 0 else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let open = Set(
            names.compactMap { name -> UInt64? in
                var status = stat()
                // Others have the same numbers on other file systems, or now that ours are gone.
                guard let descriptor = Int32(name), fstat(descriptor, &status) == 0,
                    status.st_dev == place.st_dev, status.st_nlink == 0
                else { return nil }
                return UInt64(status.st_ino)
            })
        for number in state.promised.keys.filter({ !open.contains($0) }) { state.forget(number) }
        state.sweepCount = max(Self.sweepCount, 2 * state.promised.count)
    }

    private func makeFolder() throws {
        guard access(folder.path, W_OK) != 0 else { return }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    @Sendable static func free(_ folder: URL) throws -> UInt64 {
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else { throw ObjectStoreError.system(folder.path) }
        return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
            .partialValue
    }
}
