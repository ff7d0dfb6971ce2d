import Foundation

/// A folder or a file of the partner feed, by its path.
package enum FeedEntry: Sendable {
    /// What a folder shows, by name.
    case folder([FeedListing])
    case file(OpenFeedFile)
}

/// A line of a folder.
package struct FeedListing: Sendable, Hashable {
    /// With a slash at the end for a folder.
    package let name: String
    package let modified: Date
    /// Bytes; nil for a folder.
    package let size: UInt64?

    package init(name: String, modified: Date, size: UInt64?) {
        self.name = name
        self.modified = modified
        self.size = size
    }
}

/// A file, ready to be sent; who takes it closes the descriptor.
package struct OpenFeedFile: Sendable {
    package let name: String
    package let content: OpenContent
    package let modified: Date
    /// Another one for other bytes.
    package let tag: String

    package init(name: String, content: OpenContent, modified: Date, tag: String) {
        self.name = name
        self.content = content
        self.modified = modified
        self.tag = tag
    }
}
