import Foundation

/// Somebody asks for something more often than it is done.
package struct TooManyRequests: Error, Sendable, Hashable {
    /// When it is done again, or when asking again makes sense.
    package let end: Date

    package init(end: Date) {
        self.end = end
    }
}
