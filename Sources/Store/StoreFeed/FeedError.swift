import Foundation

/// Why an export could not be made, or its files not be read.
package struct FeedError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// Another process makes an export in the same folder.
        case busy
        /// There is no full export that an incremental one could add to.
        case noFullExport
        /// The clock shows a day before that of the newest export.
        case clock
        /// The disk refused.
        case disk
    }

    package let code: Code
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The last error of the C library, as it concerns a file or folder.
    static func system(_ path: String) -> FeedError {
        FeedError(.disk, "\(path): \(String(cString: strerror(errno)))")
    }
}
