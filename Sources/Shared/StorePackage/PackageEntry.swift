import StoreModel

/// A file, folder or link of a package.
package struct PackageEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case file
        case directory
        /// A symbolic link with its target as written.
        case link(target: String)
    }

    package let path: ContentPath
    package let kind: Kind
    /// Unpacked bytes; 0 for folders and links.
    package let size: Int64

    package init(path: ContentPath, kind: Kind, size: Int64) {
        self.path = path
        self.kind = kind
        self.size = size
    }
}

/// How large a package may be.
package struct PackageLimits: Sendable, Hashable {
    package var packedBytes: Int64
    package var unpackedBytes: Int64
    package var entries: Int

    package init(packedBytes: Int64, unpackedBytes: Int64, entries: Int) {
        self.packedBytes = packedBytes
        self.unpackedBytes = unpackedBytes
        self.entries = entries
    }

    /// 2 GB packed, 8 GB unpacked, 100,000 entries.
    package static let store = PackageLimits(
        packedBytes: 2_000_000_000, unpackedBytes: 8_000_000_000, entries: 100_000)
}
