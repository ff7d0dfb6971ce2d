import CStoreZlib
import Foundation

/// PNG files byte by byte, well-formed ones and others.
package enum SamplePicture {
    package static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// A picture of eight bits for each of red, green, blue and alpha.
    ///
    /// - Parameter colour: of the pixel in a column and a row, `0xRRGGBBAA`.
    package static func png(
        _ width: Int, _ height: Int, colour: (Int, Int) -> UInt32
    ) -> Data {
        file(width, height, (0..<height).map { y in row(width) { colour($0, y) } })
    }

    /// A square in one colour, `0xRRGGBBAA`.
    package static func square(_ side: Int, _ colour: UInt32 = 0x3366_99FF) -> Data {
        file(side, side, Array(repeating: row(side) { _ in colour }, count: side))
    }

    /// A picture in one colour without alpha.
    package static func opaque(_ width: Int, _ height: Int) -> Data {
        let row = [0] + [UInt8](repeating: 0x66, count: width * 3)
        return file(width, height, Array(repeating: row, count: height), colours: 2)
    }

    private static func row(_ width: Int, _ colour: (Int) -> UInt32) -> [UInt8] {
        var row: [UInt8] = [0]
        for x in 0..<width {
            let value = colour(x)
            for shift in [24, 16, 8, 0] { row.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        return row
    }

    private static func file(
        _ width: Int, _ height: Int, _ rows: [[UInt8]], colours: UInt8 = 6
    ) -> Data {
        let pixels = rows.reduce(into: Data()) { $0.append(contentsOf: $1) }
        return signature + header(width, height, colours: colours)
            + chunk("IDAT", zlib(pixels)) + chunk("IEND")
    }

    /// What says how large it is.
    ///
    /// - Parameter colours: 2 for red, green and blue, 6 for alpha too.
    package static func header(_ width: Int, _ height: Int, colours: UInt8 = 6) -> Data {
        chunk(
            "IHDR",
            bytes(of: UInt32(width)) + bytes(of: UInt32(height)) + Data([8, colours, 0, 0, 0]))
    }

    package static func chunk(_ type: String, _ content: Data = Data()) -> Data {
        let named = Data(type.utf8) + content
        return bytes(of: UInt32(content.count)) + named + bytes(of: checksum(named))
    }

    /// Bytes as a stream of zlib that packs nothing.
    package static func zlib(_ content: Data) -> Data {
        var count = compressBound(uLong(content.count)) + 64
        var stream = Data(count: Int(count))
        let outcome = stream.withUnsafeMutableBytes { stream in
            content.withUnsafeBytes { content in
                compress2(
                    stream.bindMemory(to: Bytef.self).baseAddress, &count,
                    content.bindMemory(to: Bytef.self).baseAddress, uLong(content.count),
                    Z_NO_COMPRESSION)
            }
        }
        precondition(outcome == Z_OK, "zlib has not enough room")
        return stream.prefix(Int(count))
    }

    private static func bytes(of number: UInt32) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) })
    }

    /// CRC-32 as PNG has it (PNG specification, annex D).
    private static func checksum(_ bytes: Data) -> UInt32 {
        bytes.withUnsafeBytes { bytes in
            UInt32(crc32(0, bytes.bindMemory(to: Bytef.self).baseAddress, uInt(bytes.count)))
        }
    }
}
