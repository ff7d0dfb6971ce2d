import Foundation
import StoreModel

/// Where the bytes of packages lie until they are processed.
package protocol UploadStore: ByteStore {
    /// Opens the file of an upload, and makes it where there is none.
    ///
    /// Being alone is a help, not a promise: where several machines take parts, nobody is.
    /// What is handed over is looked at by its digests, once more when it is processed.
    ///
    /// - Parameter isAlone: whether nobody else may have it open; else all others must be
    ///   content with not being alone. Waits for it only where it must be alone.
    /// - Returns: nil where somebody has it alone.
    func open(_ id: UploadID, isAlone: Bool) throws -> (any UploadFile)?
    /// Takes the bytes away; nothing happens where there are none.
    func remove(_ id: UploadID) throws
    /// The uploads that have bytes.
    func list() throws -> [UploadID]
    /// Bytes that there is room for.
    func freeBytes() throws -> Int64
    /// Whether a part that was written has been compared with its digest, and survives a loss of
    /// power: then nobody reads the whole before it is processed.
    var keepsCheckedParts: Bool { get }
    /// The package as a file of this machine, whose name ends in `.pkg`, to be read only.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 that it has to have.
    ///   - folder: takes it where it lies elsewhere.
    ///   - proceed: ends the work by an error.
    /// - Throws: `OtherUploadFile` where it has another digest.
    func wholeFile(
        of id: UploadID, digest: ContentDigest, in folder: URL, proceed: () throws -> Void
    ) throws -> URL
}

extension UploadStore {
    package var keepsCheckedParts: Bool { false }
}

/// The parts that were handed over don't make the file that was announced.
package struct OtherUploadFile: Error, Sendable, Hashable {
    package init() {}
}

/// The file of an upload, open until it is let go.
package protocol UploadFile: Sendable {
    func write(_ bytes: Data, at offset: Int64) throws
    /// Bytes that were written at once, fewer where there were fewer.
    func read(_ range: Range<Int64>) throws -> Data
    /// Returns when all that was written is on disk.
    func synchronize() throws
}

/// Bytes could not be written or read.
package struct UploadStoreError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether space is what is missing.
    package let isDiskFull: Bool

    package init(description: String, isDiskFull: Bool) {
        self.description = description
        self.isDiskFull = isDiskFull
    }
}
