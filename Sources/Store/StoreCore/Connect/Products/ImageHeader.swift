import Foundation
import StoreDatabase

/// What the beginning of a picture says about it.
package struct ImageHeader: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, CaseIterable, TextColumnValue {
        case png
        case jpeg

        package var mediaType: String { "image/\(rawValue)" }
    }

    package let format: Format
    /// Pixels.
    package let width: Int
    package let height: Int

    package init(format: Format, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// Reads the header; nil for what is neither PNG nor JPEG, or has no size.
    package init?(of bytes: Data) {
        let bytes = [UInt8](bytes)
        guard let header = Self.png(bytes) ?? Self.jpeg(bytes), header.width > 0, header.height > 0
        else { return nil }
        self = header
    }

    /// The signature, and the chunk IHDR that must be the first (PNG specification, 5.2, 11.2.2).
    private static func png(_ bytes: [UInt8]) -> ImageHeader? {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        guard bytes.count >= 33, bytes.starts(with: start),
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        func number(at index: Int) -> Int {
            bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return ImageHeader(format: .png, width: number(at: 16), height: number(at: 20))
    }

    /// The frame header, whichever segments stand before it (ITU T.81, B.1.1.3 and B.2.2).
    private static func jpeg(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        func number(at index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        var index = 2
        while index + 4 <= bytes.count {
            guard bytes[index] == 0xFF else { return nil }
            let marker = bytes[index + 1]
            switch marker {
            case 0xFF:  // Any number of these may stand before a marker.
                index += 1
            case 0x01, 0xD0...0xD7:  // Markers without a segment.
                index += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard index + 9 <= bytes.count else { return nil }
                return ImageHeader(
                    format: .jpeg, width: number(at: index + 7), height: number(at: index + 5))
            case 0xD9, 0xDA:  // The picture ends, or its data begin, without a frame.
                return nil
            default:
                let length = number(at: index + 2)
                guard length >= 2 else { return nil }
                index += 2 + length
            }
        }
        return nil
    }
}

extension ImageHeader: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        format = try column("format", \.format)
        width = try column("width", \.width)
        height = try column("height", \.height)
    }
}
