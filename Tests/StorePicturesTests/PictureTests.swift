import CStorePictures
import Foundation
import StoreCore
@testable import StorePictures
import StoreTestSupport
import Testing

/// Pictures as they are read, scaled and written. What comes out is read by libgd itself.
@Suite struct PictureTests {
    /// 16 × 8 pixels, the left half red and the right half blue, written by FFmpeg.
    static let jpeg = Data(
        base64Encoded:
            "/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYG"
            + "BgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xABOAAEAAAAAAAAAAAAAAAAAAAAGAQEA"
            + "AAAAAAAAAAAAAAAAAAAGEAEAAAAAAAAAAAAAAAAAAAAAEQADAQEAAAAAAAAAAAAAAAAACEbEhf/AABEIAAgAEAMB"
            + "IgACEQADEQD/2gAMAwEAAhEDEQA/ABYgXiBUstXx942YWa6uI//Z")!

    /// A picture as libgd reads it.
    private final class Read {
        let image: gdImagePtr

        init?(_ bytes: Data, _ format: ImageHeader.Format) {
            let image = bytes.withUnsafeBytes { buffer in
                let start = UnsafeMutableRawPointer(mutating: buffer.baseAddress)
                return format == .png
                    ? gdImageCreateFromPngPtr(Int32(buffer.count), start)
                    : gdImageCreateFromJpegPtr(Int32(buffer.count), start)
            }
            guard let image else { return nil }
            self.image = image
        }

        deinit { gdImageDestroy(image) }

        var size: [Int] { [Int(image.pointee.sx), Int(image.pointee.sy)] }

        /// Red, green, blue, and the transparency from 0 to 127.
        func colour(_ x: Int, _ y: Int) -> [Int] {
            let value = Int(gdImageGetTrueColorPixel(image, Int32(x), Int32(y)))
            return [value >> 16 & 255, value >> 8 & 255, value & 255, value >> 24]
        }
    }

    private func make(_ original: Data, _ name: String) throws -> Read {
        let size = try #require(PictureSize(name))
        let bytes = try Picture(original).scaled(to: size).encoded(as: size.format)
        #expect(ImageHeader(of: bytes)?.format == size.format)
        return try #require(Read(bytes, size.format))
    }

    @Test(arguments: [
        ("100x100bb.png", [100, 50]), ("100x100.png", [100, 50]), ("100x100cc.png", [100, 100]),
        ("10x100bb.png", [10, 5]), ("1x1bb.png", [1, 1]), ("300x1bb.png", [2, 1]),
        // Never larger than the original.
        ("4096x4096bb.png", [200, 100]), ("4096x4096cc.png", [100, 100]),
        ("4096x2048cc.png", [200, 100]), ("50x4096cc.png", [1, 100]),
        ("60x30bb.jpg", [60, 30]),
    ])
    func `a picture has the size that was asked for`(name: String, size: [Int]) throws {
        let original = SamplePicture.png(200, 100) { _, _ in 0x3366_99FF }
        #expect(try make(original, name).size == size)
    }

    @Test func `fitting shows all of it, filling shows the middle`() throws {
        // Red, green, blue from left to right.
        let original = SamplePicture.png(300, 100) { x, _ in
            [0xFF00_00FF, 0x00FF_00FF, 0x0000_FFFF][x / 100]
        }
        let whole = try make(original, "30x30bb.png")
        #expect(whole.size == [30, 10])
        #expect(
            [5, 15, 25].map { whole.colour($0, 5) }
                == [[255, 0, 0, 0], [0, 255, 0, 0], [0, 0, 255, 0]])
        let middle = try make(original, "30x30cc.png")
        #expect(middle.size == [30, 30])
        #expect(
            [2, 15, 27].map { middle.colour($0, 15) } == Array(repeating: [0, 255, 0, 0], count: 3))
    }

    @Test func `a pixel is the mean of those that it covers`() throws {
        let original = SamplePicture.png(100, 100) { x, y in
            (x + y) % 2 == 0 ? 0xFFFF_FFFF : 0x0000_00FF
        }
        let colour = try make(original, "10x10bb.png").colour(5, 5)
        #expect(colour[..<3].allSatisfy { (126...129).contains($0) })
    }

    @Test func `what is transparent stays so in PNG, and becomes white in JPEG`() throws {
        let original = SamplePicture.png(64, 64) { x, _ in x < 32 ? 0xFF00_0000 : 0xFF00_00FF }
        let png = try make(original, "32x32bb.png")
        #expect(png.colour(4, 16)[3] == 127 && png.colour(28, 16) == [255, 0, 0, 0])
        let jpeg = try make(original, "32x32bb.jpg")
        #expect(jpeg.colour(4, 16)[..<3].allSatisfy { $0 > 245 })
        let red = jpeg.colour(28, 16)
        #expect(red[0] > 240 && red[1] < 20 && red[2] < 20)
    }

    @Test func `a JPEG is read as well`() throws {
        let picture = try Picture(Self.jpeg)
        #expect(picture.width == 16 && picture.height == 8)
        let png = try make(Self.jpeg, "8x4bb.png")
        #expect(png.size == [8, 4])
        let (left, right) = (png.colour(1, 2), png.colour(6, 2))
        #expect(left[0] > 230 && left[2] < 25 && right[0] < 25 && right[2] > 230)
    }

    /// The picture of two halves with an orientation as cameras write it, between other segments.
    static func photograph(_ orientation: UInt16, isLittle: Bool = true) -> Data {
        func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
            let all = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
            return isLittle ? all : all.reversed()
        }
        var exif = Array("Exif\0\0".utf8) + Array((isLittle ? "II" : "MM").utf8)
        exif += bytes(42, 2) + bytes(8, 4) + bytes(2, 2)
        // The camera's maker, then the orientation.
        exif += bytes(0x010F, 2) + bytes(2, 2) + bytes(4, 4) + Array("Me\0\0".utf8)
        exif += bytes(0x0112, 2) + bytes(3, 2) + bytes(1, 4) + bytes(UInt32(orientation), 2)
        exif += bytes(0, 2) + bytes(0, 4)
        func segment(_ marker: UInt8, _ bytes: [UInt8]) -> Data {
            Data([0xFF, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 255)])
                + Data(bytes)
        }
        return jpeg.prefix(2) + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8))
            + segment(0xE1, exif) + jpeg.dropFirst(2)
    }

    /// Where red and blue stand: the picture is red on the left as it was written.
    @Test(
        arguments: [
            (1, [16, 8], [2, 4], [13, 4]), (2, [16, 8], [13, 4], [2, 4]),
            (3, [16, 8], [13, 4], [2, 4]), (4, [16, 8], [2, 4], [13, 4]),
            (5, [8, 16], [4, 2], [4, 13]), (6, [8, 16], [4, 2], [4, 13]),
            (7, [8, 16], [4, 13], [4, 2]), (8, [8, 16], [4, 13], [4, 2]),
        ] as [(UInt16, [Int], [Int], [Int])])
    func `a photograph stands upright however the camera was held`(
        orientation: UInt16, size: [Int], red: [Int], blue: [Int]
    ) throws {
        for isLittle in [true, false] {
            let original = Self.photograph(orientation, isLittle: isLittle)
            let picture = try Picture(original)
            #expect([picture.width, picture.height] == size)
            let whole = try make(original, "4096x4096bb.png")
            #expect(whole.size == size)
            let (left, right) = (
                whole.colour(red[0], red[1]), whole.colour(blue[0], blue[1])
            )
            #expect(left[0] > 230 && left[2] < 25, "\(left)")
            #expect(right[0] < 25 && right[2] > 230, "\(right)")
            #expect(try make(original, "4x4bb.png").size == size.map { $0 / 4 })
            #expect(try make(original, "4x2cc.jpg").size == [4, 2])
        }
    }

    @Test func `each orientation shows each pixel once`() throws {
        // The corners of a picture of 3 × 2, from the upper left on around it.
        let expected: [[Int]] = [
            [0, 2, 5, 3], [2, 0, 3, 5], [5, 3, 0, 2], [3, 5, 2, 0],
            [0, 3, 5, 2], [3, 0, 2, 5], [5, 2, 0, 3], [2, 5, 3, 0],
        ]
        for (orientation, corners) in zip(PictureOrientation.allCases, expected) {
            let (width, height) = orientation.swapsSides ? (2, 3) : (3, 2)
            var shown: [Int] = []
            for y in 0..<height {
                for x in 0..<width {
                    let from = orientation.source(x: x, y: y, width: 3, height: 2)
                    shown.append(from.y * 3 + from.x)
                }
            }
            #expect(shown.sorted() == Array(0..<6))
            let around = [0, width - 1, width * height - 1, width * (height - 1)]
            #expect(around.map { shown[$0] } == corners, "\(orientation)")
        }
    }

    @Test(arguments: [0, 9, 255, 65_535] as [UInt16])
    func `an orientation that is none changes nothing`(orientation: UInt16) throws {
        #expect(try make(Self.photograph(orientation), "99x99bb.png").size == [16, 8])
    }

    @Test func `what stands beside the pixels is left out`() throws {
        let square = SamplePicture.square(64)
        let note = SamplePicture.chunk("tEXt", Data("Author\u{0}Ada, at home".utf8))
        let at = SamplePicture.signature.count + SamplePicture.header(64, 64).count
        let original = square[..<at] + note + square[at...]
        let size = try #require(PictureSize("64x64bb.png"))
        let bytes = try Picture(Data(original)).scaled(to: size).encoded(as: .png)
        #expect(bytes.range(of: Data("Ada".utf8)) == nil)
    }
}
