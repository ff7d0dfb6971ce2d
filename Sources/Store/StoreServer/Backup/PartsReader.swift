import Foundation
import StoreBackup
import StoreCore
import StoreSecurity

/// Reads the parts of a package that a snapshot of the database knows; where parts are missing that
/// it does not know either, there are zeros.
struct PartsReader {
    /// A part is not what it was.
    struct Changed: Error {}

    private let upload: StoreInventory.Upload
    private let file: any UploadFile

    /// - Throws: `UploadStoreError`, `Changed` where somebody looks at the whole, alone.
    init(_ upload: StoreInventory.Upload, _ store: any UploadStore) throws {
        guard let file = try store.open(upload.id, isAlone: false) else { throw Changed() }
        (self.upload, self.file) = (upload, file)
    }

    /// Where a part lies.
    private func range(of part: Int) -> Range<Int64> {
        let start = Int64(part) * upload.partSize
        return start..<min(start + upload.partSize, max(start, upload.size))
    }

    /// The bytes up to the end of the last part that is known; nil where none is.
    var source: BackupSource? {
        guard let last = upload.parts.keys.max() else { return nil }
        var part = 0
        var rest = Data()
        return BackupSource(size: range(of: last).upperBound) { buffer in
            if rest.isEmpty, part <= last {
                rest = try bytes(of: part)
                part += 1
            }
            let some = rest.prefix(buffer.count)
            some.copyBytes(to: buffer)
            rest = rest.dropFirst(some.count)
            return some.count
        }
    }

    /// - Throws: `Changed` where they are not those that the database knows.
    func bytes(of part: Int) throws -> Data {
        let range = range(of: part)
        guard let digest = upload.parts[part] else { return Data(count: range.count) }
        let bytes = try file.read(range)
        guard SHA256Digest.hex(bytes) == digest.text else { throw Changed() }
        return bytes
    }
}
