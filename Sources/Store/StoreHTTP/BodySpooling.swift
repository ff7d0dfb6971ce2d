import Foundation
import Synchronization

/// Requests whose bodies go to disk while they come in: those that may be larger than what is
/// kept in memory.
package struct BodySpooling: Sendable {
    /// The largest one that a path takes by `POST` or `PUT`, in bytes; nil for a path that takes
    /// none.
    package var limit: @Sendable (String) -> Int?
    /// For paths that anyone may call: as many bytes of a body stay in memory before the rest goes
    /// to disk; nil for paths whose callers are admitted first.
    package var openMemory: @Sendable (String) -> Int?
    /// How many may be on their way at the same time; further ones are refused.
    package var count: Int
    /// The same for paths that anyone may call, so that they can't take the room of the others.
    package var openCount: Int
    /// How long a body to a path that anyone may call may lie on disk until it is whole.
    package var openDuration: Duration
    /// Where their bytes lie, in files without names.
    package var folder: URL
    /// Bytes of the folder's disk that bodies leave free.
    package var reserve: Int64

    package init(
        limit: @escaping @Sendable (String) -> Int?,
        openMemory: @escaping @Sendable (String) -> Int? = { _ in nil }, count: Int = 8,
        openCount: Int = 8, openDuration: Duration = .seconds(120),
        folder: URL = FileManager.default.temporaryDirectory, reserve: Int64 = 0
    ) {
        self.limit = limit
        self.openMemory = openMemory
        self.count = count
        self.openCount = openCount
        self.openDuration = openDuration
        self.folder = folder
        self.reserve = reserve
    }
}

/// The bodies that are on their way to disk.
final class BodySpool: Sendable {
    /// Who sends a body: somebody who was admitted, or anyone.
    enum Lane: Hashable {
        case admitted
        /// - Parameter memory: bytes of it that stay in memory before the rest goes to disk.
        case open(memory: Int)
    }

    private let spooling: BodySpooling
    private let begun = Mutex((admitted: 0, open: 0))

    init(_ spooling: BodySpooling) {
        self.spooling = spooling
    }

    /// The largest body of a request that goes to disk, and who sends it; nil where it does not.
    ///
    /// - Parameter announced: the length that the header says; nil where it says none.
    func quota(method: String, path: String, announced: Int?) -> (limit: Int, lane: Lane)? {
        guard method == HTTPMethod.post.rawValue || method == HTTPMethod.put.rawValue,
            let limit = spooling.limit(path)
        else { return nil }
        guard let memory = spooling.openMemory(path) else { return (limit, .admitted) }
        if let announced, announced <= memory { return nil }
        return (limit, .open(memory: memory))
    }

    /// A file for one more body; nil where there are too many, or the disk takes none.
    func begin(_ lane: Lane) -> AnonymousFile? {
        let isFree = begun.withLock { begun in
            switch lane {
            case .admitted:
                guard begun.admitted < spooling.count else { return false }
                begun.admitted += 1
            case .open:
                guard begun.open < spooling.openCount else { return false }
                begun.open += 1
            }
            return true
        }
        guard isFree else { return nil }
        guard let file = try? AnonymousFile(in: spooling.folder, reserve: spooling.reserve)
        else {
            end(lane)
            return nil
        }
        return file
    }

    func end(_ lane: Lane) {
        begun.withLock { begun in
            switch lane {
            case .admitted: begun.admitted -= 1
            case .open: begun.open -= 1
            }
        }
    }

    /// Whether a body whose file was made at some time has had enough of it.
    func isOver(_ lane: Lane, since start: ContinuousClock.Instant) -> Bool {
        switch lane {
        case .admitted: false
        case .open: ContinuousClock.now - start >= spooling.openDuration
        }
    }
}
