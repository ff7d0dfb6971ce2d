import Foundation

/// How often a JPEG goes over its pixels.
///
/// A progressive picture has a dozen scans or so; a hostile one has thousands, each of which
/// takes as long as a picture.
enum JPEGScans {
    static let limit = 100

    /// A scan begins with the marker `FF DA`, which stands nowhere within one (ITU T.81, B.1.1.5).
    static func areFew(in bytes: Data) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var (count, index) = (0, 0)
            while index + 1 < bytes.count {
                guard let next = bytes[index...].firstIndex(of: 0xFF) else { break }
                if next + 1 < bytes.count, bytes[next + 1] == 0xDA { count += 1 }
                index = next + 1
            }
            return count <= limit
        }
    }
}
