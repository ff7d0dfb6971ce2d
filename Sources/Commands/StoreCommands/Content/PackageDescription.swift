import StorePackage

/// What a package holds, for programs.
struct PackageDescription: Encodable {
    struct Entry: Encodable {
        let path: String
        let kind: String
        let size: Int64
        let target: String?
    }

    let productId: String
    let version: String
    let packedBytes: Int64
    let unpackedBytes: Int64
    let entries: [Entry]

    init(_ summary: PackageReader.Summary) {
        productId = summary.info.productID.text
        version = summary.info.version.text
        packedBytes = summary.packedBytes
        unpackedBytes = summary.unpackedBytes
        entries = summary.entries.map { entry in
            switch entry.kind {
            case .file: Entry(path: entry.path.text, kind: "file", size: entry.size, target: nil)
            case .directory: Entry(path: entry.path.text, kind: "folder", size: 0, target: nil)
            case .link(let target):
                Entry(path: entry.path.text, kind: "link", size: 0, target: target)
            }
        }
    }
}
