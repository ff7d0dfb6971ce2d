import Foundation
import Synchronization

/// Requests whose bodies go to disk while they come in: those that may be larger than what is
/// kept in memory.
package struct BodySpooling: Sendable {
    /// The largest one that a path takes by `POST` or `PUT`, in bytes; nil for a path that takes
    /// none.
    package var limit: @Sendable (String) -> Int?
    /// Bodies whose header announces at most so many bytes are kept in memory, by their path; 0 where
    /// none are.
    package var inMemory: @Sendable (String) -> Int
    /// How many may be on their way at the same time; further ones are refused.
    package var count: Int
    /// Where their bytes lie, in files without names.
    package var folder: URL

    package init(
        limit: @escaping @Sendable (String) -> Int?,
        inMemory: @escaping @Sendable (String) -> Int = { _ in 0 }, count: Int = 8,
        folder: URL = FileManager.default.temporaryDirectory
    ) {
        self.limit = limit
        self.inMemory = inMemory
        self.count = count
        self.folder = folder
    }
}

/// The bodies that are on their way to disk.
final class BodySpool: Sendable {
    private let spooling: BodySpooling
    private let open = Mutex(0)

    init(_ spooling: BodySpooling) {
        self.spooling = spooling
    }

    /// The largest body of a request that goes to disk; nil where it does not.
    ///
    /// - Parameter announced: the length that the header says; nil where it says none.
    func limit(method: String, path: String, announced: Int?) -> Int? {
        guard method == HTTPMethod.post.rawValue || method == HTTPMethod.put.rawValue,
            let limit = spooling.limit(path)
        else { return nil }
        if let announced, case let small = spooling.inMemory(path), small > 0, announced <= small {
            return nil
        }
        return limit
    }

    /// A file for one more body; nil where there are too many, or the disk takes none.
    func begin() -> NamelessFile? {
        let isFree = open.withLock { open in
            guard open < spooling.count else { return false }
            open += 1
            return true
        }
        guard isFree else { return nil }
        guard let file = try? NamelessFile(in: spooling.folder) else {
            end()
            return nil
        }
        return file
    }

    func end() {
        open.withLock { $0 -= 1 }
    }
}
