import Foundation
import Synchronization

/// A part of an open file, on its way out.
///
/// Owns the descriptor until somebody takes it; closes it otherwise.
package final class FileSlice: Sendable {
    /// The first byte of the part.
    package let offset: UInt64
    /// The number of bytes.
    package let length: UInt64
    private let descriptor: Mutex<Int32?>

    /// - Parameter descriptor: open for reading; belongs to the slice from now on.
    package init(descriptor: Int32, offset: UInt64, length: UInt64) {
        self.descriptor = Mutex(descriptor)
        self.offset = offset
        self.length = length
    }

    deinit {
        if let descriptor = take() { close(descriptor) }
    }

    /// Hands the descriptor over to the caller, who closes it; nil the second time.
    package func take() -> Int32? {
        descriptor.withLock { held in
            defer { held = nil }
            return held
        }
    }
}
