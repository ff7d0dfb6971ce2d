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
        let rows = Array(repeating: row, count: height)
        return signature + header(width, height, colours: 2)
            + chunk("IDAT", zlib(Data(rows.joined()))) + chunk("IEND")
    }

    private static func row(_ width: Int, _ colour: (Int) -> UInt32) -> [UInt8] {
        var row: [UInt8] = [0]
        for x in 0..<width {
            let value = colour(x)
            for shift in [24, 16, 8, 0] { row.append(UInt8(truncatingIfNeeded: value >> shift)) }
        }
        return row
    }

    private static func file(_ width: Int, _ height: Int, _ rows: [[UInt8]]) -> Data {
        signature + header(width, height) + chunk("IDAT", zlib(Data(rows.joined())))
            + chunk("IEND")
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

    /// Bytes as a stream of zlib that packs nothing (RFC 1950, RFC 1951 section 3.2.4).
    package static func zlib(_ content: Data) -> Data {
        var stream = Data([0x78, 0x01])
        var rest = content[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for half in [count, ~count] { stream += [UInt8(half & 255), UInt8(half >> 8)] }
            stream += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return stream + bytes(of: high << 16 | low)
    }

    private static func bytes(of number: UInt32) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) })
    }

    /// CRC-32 as PNG has it (PNG specification, annex D).
    private static func checksum(_ bytes: Data) -> UInt32 {
        var checksum = UInt32.max
        for byte in bytes {
            checksum = table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] ^ checksum >> 8
        }
        return ~checksum
    }

    private static let table: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }
}
