import Foundation
import StoreModel

extension DeliveryAssembly {
    /// Delta update: takes the chunks that another version on the device has.
    ///
    /// Each one is compared with its digest: whoever owns the files may have changed them.
    ///
    /// - Parameters:
    ///   - older: the manifest of the other version.
    ///   - source: the folder in which it lies, as it was delivered.
    /// - Throws: `DeliveryError.file` or `.diskFull`, where the new files can't be written.
    package func reuse(_ older: DeliveryManifest, in source: URL) throws {
        var wanted: [ChunkDigest: Int] = [:]
        for chunk in missing { wanted[chunks[chunk].digest] = chunk }
        guard !wanted.isEmpty else { return }
        let files = OpenFiles()
        let olderChunks = older.blobs.flatMap(\.chunks)
        for entry in older.entries {
            guard case .file(_, _, let ranges) = entry.kind,
                let file = ReadableFile(source.appendingPathComponent(entry.path.text))
            else { continue }
            var offset: Int64 = 0
            for chunk in ranges.joined() {
                if let here = wanted[olderChunks[chunk].digest],
                    try file.read(
                        chunks[here], at: offset, { try place($0, of: here, through: files) })
                {
                    wanted[olderChunks[chunk].digest] = nil
                }
                offset += Int64(olderChunks[chunk].unpackedLength)
            }
        }
    }
}
