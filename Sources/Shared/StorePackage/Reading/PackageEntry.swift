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
}
