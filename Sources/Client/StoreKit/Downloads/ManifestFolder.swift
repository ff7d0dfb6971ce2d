import StoreDelivery
import StoreKernel
import StoreModel
import StoreSecurity

/// A manifest on the device: the outline as it was signed for, and the tables of its blobs.
///
/// The tables are compared with their digests whenever they are read.
package struct ManifestFolder: Sendable {
    package let url: URL

    package init(url: URL) {
        self.url = url
    }

    private var outlineFile: URL { url.appendingPathComponent("outline") }

    private func tableFile(_ blob: BlobReference) -> URL {
        url.appendingPathComponent("\(blob.digest).table")
    }

    /// The outline with this digest; nil where there is another one or none.
    package func outline(_ digest: ContentDigest) -> Data? {
        guard let data = try? Data(contentsOf: outlineFile), SHA256Digest.hex(data) == digest.text
        else { return nil }
        return data
    }

    /// Begins anew, with another outline.
    package func begin(_ outline: Data) throws {
        let files = FileManager.default
        if access(url.path, F_OK) == 0 { try files.removeItem(at: url) }
        try files.createDirectory(at: url, withIntermediateDirectories: true)
        try write(outline, to: outlineFile)
    }

    /// The table of a blob; nil where it is not there, or damaged.
    package func table(of blob: BlobReference) -> Data? {
        guard let data = try? Data(contentsOf: tableFile(blob)),
            SHA256Digest.hex(data) == blob.tableDigest.text
        else { return nil }
        return data
    }

    package func keep(_ table: Data, of blob: BlobReference) throws {
        try write(table, to: tableFile(blob))
    }

    /// Whatever ends in the middle of it leaves one file of one name.
    private func write(_ data: Data, to file: URL) throws {
        let partial = url.appendingPathComponent(Self.partial)
        try data.write(to: partial)
        guard rename(partial.path, file.path) == 0 else {
            throw DurableFile.failure("can't be written", file)
        }
    }

    private static let partial = ".partial"

    /// Copies what is whole.
    package func copy(to other: ManifestFolder) throws {
        let files = FileManager.default
        if access(other.url.path, F_OK) == 0 { try files.removeItem(at: other.url) }
        try files.copyItem(at: url, to: other.url)
        unlink(other.url.appendingPathComponent(Self.partial).path)
    }

    /// The manifest; nil where something of it is missing or damaged.
    package func load() -> DeliveryManifest? {
        guard let data = try? Data(contentsOf: outlineFile),
            let outline = try? DeliveryOutline(encoded: data)
        else { return nil }
        return try? outline.manifest { blob in
            guard let table = table(of: blob) else {
                throw DeliveryError.damaged("The table of \(blob.digest)")
            }
            return table
        }
    }
}
