import Foundation
import StoreCore

/// How a camera was held: what has to be done with the pixels so that the picture stands upright.
/// The numbers are those of the Exif standard (CIPA DC-008, 4.6.4, tag 0x0112).
package enum PictureOrientation: UInt8, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    case mirroredLeft = 5
    case turnedLeft = 6
    case mirroredRight = 7
    case turnedRight = 8

    /// Whether width and height change places.
    package var swapsSides: Bool { rawValue >= 5 }

    /// Which pixel of a picture as the camera wrote it stands at a place of the upright one.
    ///
    /// - Parameters: the place, and the sides of the picture as it was written.
    func source(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .upright: (x, y)
        case .mirrored: (width - 1 - x, y)
        case .upsideDown: (width - 1 - x, height - 1 - y)
        case .mirroredUpsideDown: (x, height - 1 - y)
        case .mirroredLeft: (y, x)
        case .turnedLeft: (y, height - 1 - x)
        case .mirroredRight: (width - 1 - y, height - 1 - x)
        case .turnedRight: (width - 1 - y, x)
        }
    }

    // MARK: Reading

    /// What a JPEG says of it; upright where it says nothing that can be read.
    init(ofJPEG bytes: Data) {
        self = bytes.withUnsafeBytes { Self.read($0) } ?? .upright
    }

    /// Looks for the segment APP1 with Exif data before the picture's own data begin.
    private static func read(_ bytes: UnsafeRawBufferPointer) -> PictureOrientation? {
        var index = 2
        while index + 4 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            switch marker {
            case 0xFF: index += 1
            case 0x01, 0xD0...0xD7: index += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xD9, 0xDA: return nil
            default:
                let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
                guard length >= 2, index + 2 + length <= bytes.count else { return nil }
                let segment = UnsafeRawBufferPointer(
                    rebasing: bytes[(index + 4)..<(index + 2 + length)])
                if marker == 0xE1, segment.starts(with: Array("Exif\0\0".utf8)) {
                    return read(exif: UnsafeRawBufferPointer(rebasing: segment[6...]))
                }
                index += 2 + length
            }
        }
        return nil
    }

    /// The tag in the first directory of TIFF's header (TIFF 6.0, section 2).
    private static func read(exif bytes: UnsafeRawBufferPointer) -> PictureOrientation? {
        let isLittle: Bool
        switch bytes.prefix(4) {
        case let start where start.elementsEqual([0x49, 0x49, 0x2A, 0]): isLittle = true
        case let start where start.elementsEqual([0x4D, 0x4D, 0, 0x2A]): isLittle = false
        default: return nil
        }
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset + count <= bytes.count else { return nil }
            let part = bytes[offset..<offset + count]
            return isLittle
                ? part.reversed().reduce(0) { $0 << 8 | Int($1) }
                : part.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let start = number(4, 4), let count = number(start, 2) else { return nil }
        for entry in 0..<count {
            let place = start + 2 + 12 * entry
            guard let tag = number(place, 2) else { return nil }
            guard tag == 0x0112 else { continue }
            // One number of two bytes.
            guard number(place + 2, 2) == 3, number(place + 4, 4) == 1,
                let value = number(place + 8, 2)
            else { return nil }
            return UInt8(exactly: value).flatMap(PictureOrientation.init(rawValue:))
        }
        return nil
    }
}

extension PictureSize {
    /// The size to scale to before width and height change places.
    var swapped: PictureSize {
        PictureSize(width: height, height: width, fit: fit, format: format)
    }
}
