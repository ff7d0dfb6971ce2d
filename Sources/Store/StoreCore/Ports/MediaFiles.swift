import Foundation
import StoreModel

/// Where the bytes of items' media lie, by digest: files of any size, taken in bounded memory.
package protocol MediaFiles: ContentStore {
    /// Copies a file into the store. When it returns, the bytes are on disk.
    ///
    /// - Parameters:
    ///   - limit: refuses more bytes.
    ///   - check: sees the beginning, 4096 bytes at most, before the rest is read.
    /// - Returns: what was taken, and what `check` gave.
    /// - Throws: `MediaFileProblem`, what `check` throws, or what the disk says.
    func take<Checked: Sendable>(
        _ file: URL, limit: Int64, check: @escaping @Sendable (Data) throws -> Checked
    ) async throws -> (TakenFile, Checked)
}

/// Bytes that were taken.
package struct TakenFile: Sendable, Hashable {
    package let digest: ContentDigest
    /// Bytes.
    package let size: Int64

    package init(digest: ContentDigest, size: Int64) {
        self.digest = digest
        self.size = size
    }
}

/// Why a file was not taken.
package enum MediaFileProblem: Error, Sendable, Hashable {
    /// It isn't there, may not be read, or is no plain file; with what the system says.
    case unreadable(String)
    case empty
    case tooLarge(limit: Int64)
}
