import Foundation
import Synchronization

/// Requests whose bodies go to disk while they come in: those that may be larger than what is
/// kept in memory.
package struct BodySpooling: Sendable {
    /// Whether a path takes such a body by `POST`.
    package var takes: @Sendable (String) -> Bool
    /// The largest one, in bytes.
    package var limit: Int
    /// How many may be on their way at the same time; further ones are refused.
    package var count: Int
    /// Where their bytes lie, in files without names.
    package var folder: URL

    package init(
        takes: @escaping @Sendable (String) -> Bool, limit: Int = 64 << 20, count: Int = 8,
        folder: URL = FileManager.default.temporaryDirectory
    ) {
        self.takes = takes
        self.limit = limit
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

    var limit: Int { spooling.limit }

    func takes(method: String, path: String) -> Bool {
        method == HTTPMethod.post.rawValue && spooling.takes(path)
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
