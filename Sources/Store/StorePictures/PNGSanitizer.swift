import Foundation

/// What of a PNG stands for its pixels.
///
/// libpng unpacks texts and colour profiles that lie beside the pixels, each into megabytes. None of
/// them is shown, so none is handed over.
enum PNGSanitizer {
    private static let kept: Set<[UInt8]> = Set(
        ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].map { Array($0.utf8) })

    /// The file with these chunks only; nil where the chunks are not what a file has, from the
    /// first to the end (PNG specification, 5.3 and 5.6). Their checksums are libpng's to check.
    static func of(_ bytes: Data) -> Data? {
        bytes.withUnsafeBytes { bytes -> Data? in
            guard bytes.count >= 8 else { return nil }
            var sanitized = Data()
            sanitized.reserveCapacity(bytes.count)
            sanitized.append(contentsOf: bytes[..<8])
            var index = 8
            while bytes.count - index >= 12 {
                let length = bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
                guard length <= bytes.count - index - 12 else { return nil }
                let type = Array(bytes[index + 4..<index + 8])
                let end = index + 12 + length
                if kept.contains(type) {
                    sanitized.append(contentsOf: bytes[index..<end])
                } else if type[0] & 0x20 == 0 {
                    // A chunk that one must understand, and nobody knows.
                    return nil
                }
                if type.elementsEqual("IEND".utf8) { return sanitized }
                index = end
            }
            return nil
        }
    }
}
