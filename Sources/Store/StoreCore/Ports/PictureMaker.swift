import Foundation
import StoreModel

/// Reads pictures, and makes them in other sizes: few at a time, because a picture takes many
/// times its bytes of memory while it is read.
package protocol PictureMaker: Sendable {
    /// Reads a picture to its end.
    ///
    /// - Parameter content: its bytes; the descriptor is closed.
    /// - Returns: what it is.
    /// - Throws: `PictureProblem`, or `PicturesBusy`.
    func check(_ content: OpenContent) async throws -> ImageHeader

    /// A picture in another size: the one that was made before, or a new one that is kept.
    ///
    /// - Parameters:
    ///   - digest: of the original.
    ///   - original: opens it; nil where there is none.
    /// - Throws: `PictureProblem`, `PicturesBusy`, or what the disk says.
    func rendition(
        _ size: PictureSize, of digest: ContentDigest,
        original: @escaping @Sendable () throws -> OpenContent?
    ) async throws -> MadePicture?
}

/// A picture that was made.
package enum MadePicture: Sendable {
    /// The receiver closes the descriptor.
    case file(OpenContent)
    /// One that the disk did not take.
    case bytes(Data)
}

/// Why a picture can't be read.
package enum PictureProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case unknownFormat
    case tooManyPixels(width: Int, height: Int, limit: Int)
    case damaged

    /// A sentence for whoever sent it.
    package var description: String {
        switch self {
        case .unknownFormat: "It is neither a PNG nor a JPEG picture."
        case .tooManyPixels(let width, let height, let limit):
            "It has \(width) × \(height) pixels; the store reads at most \(limit)."
        case .damaged: "It can't be read to its end: it is damaged or incomplete."
        }
    }
}

/// More pictures are to be made than anybody would wait for.
package struct PicturesBusy: Error, Sendable, Hashable {
    /// Seconds after which it is worth trying again.
    package static let retryDelay = 2

    package init() {}
}
