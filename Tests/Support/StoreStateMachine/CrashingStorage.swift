import Foundation
import StoreKit

/// The journal's real file, in which writing can fail, or be cut short by the end of the
/// launch.
final class CrashingStorage: JournalStorage, @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    private var open: JournalFile?
    private let file: URL
    private let launch: Launch
    let name: String

    init(file: URL, tag: String, launch: Launch) throws {
        let inner = try JournalFile(folder: file.deletingLastPathComponent(), tag: tag)
        open = inner
        name = inner.name
        self.file = file
        self.launch = launch
        launch.onEnd = { [weak self] in self?.open = nil }
    }

    /// The file, as long as the launch lives; its end closes it.
    private var inner: JournalFile {
        get throws {
            guard let open, !launch.isDead else { throw Killed() }
            return open
        }
    }

    func read() throws -> Data {
        try inner.read()
    }

    func append(_ data: Data) throws {
        let inner = try inner
        guard !launch.isDiskFull else { throw CocoaError(.fileWriteOutOfSpace) }
        guard case .append(let percent) = launch.crashPoint else { return try inner.append(data) }
        if percent == 100 {
            try inner.append(data)
        } else if percent > 0 {
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            try handle.write(contentsOf: data.prefix(data.count * percent / 100))
            try handle.close()
        }
        launch.crash()
        throw Killed()
    }

    func replace(_ data: Data) throws {
        let inner = try inner
        guard !launch.isDiskFull else { throw CocoaError(.fileWriteOutOfSpace) }
        guard case .replace(let isAfter) = launch.crashPoint else {
            return try inner.replace(data)
        }
        if isAfter { try inner.replace(data) }
        launch.crash()
        throw Killed()
    }

    func setAside(_ damaged: Data) throws -> String {
        let inner = try inner
        guard !launch.isDiskFull else { throw CocoaError(.fileWriteOutOfSpace) }
        return try inner.setAside(damaged)
    }
}
