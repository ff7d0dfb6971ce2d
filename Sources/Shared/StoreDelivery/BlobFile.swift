import Foundation
import StoreKernel
import StoreModel
import StoreSecurity

/// A blob that grows at its end.
final class BlobFile {
    private let file: URL
    private let descriptor: Int32
    private let digest = SHA256Digest()
    private(set) var length: Int64 = 0

    /// - Parameter file: is replaced.
    init(file: URL) throws {
        self.file = file
        descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw DeliveryError.file(errnoAt: file.path) }
    }

    deinit {
        close(descriptor)
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        digest.update(bytes)
        try DeliveryError.onDisk(file) { try DurableFile.append(bytes, to: descriptor, of: file) }
        length += Int64(bytes.count)
    }

    /// Adds the table of what was added, and brings all of it to disk; nil where nothing
    /// was added.
    func finish(_ chunks: [DeliveryManifest.Chunk]) throws -> BlobReference? {
        guard !chunks.isEmpty else { return nil }
        let table = try ChunkTable(chunks).encoded()
        try table.withUnsafeBytes { try append($0) }
        guard fsync(descriptor) == 0 else { throw DeliveryError.file(errnoAt: file.path) }
        return BlobReference(
            digest: ContentDigest(SHA256Digest.hexadecimal(digest.finish()))!, length: length,
            tableLength: Int64(table.count), tableDigest: ContentDigest(SHA256Digest.hex(table))!)
    }
}

extension DeliveryError {
    /// What the system has just said about a file.
    init(errnoAt path: String) {
        self.init(errno, at: path)
    }

    private init(_ code: Int32, at path: String) {
        self =
            code == ENOSPC || code == EDQUOT
            ? .diskFull(needed: 0, free: 0)
            : .file(path: path, reason: String(cString: strerror(code)))
    }

    /// Does something with a file, whose errors are told as those of a delivery.
    static func onDisk(_ file: URL, _ body: () throws -> Void) throws {
        do { try body() } catch let error as NSError {
            throw DeliveryError(Int32(clamping: error.code), at: file.path)
        }
    }

    static func file(errnoAt path: String) -> DeliveryError { DeliveryError(errnoAt: path) }
}
