import Foundation
import StoreCore
import StoreModel
import Testing

@Suite struct ImageHeaderTests {
    /// The beginning of a PNG picture.
    static func png(width: UInt32 = 640, height: UInt32 = 920, chunk: String = "IHDR") -> Data {
        var data = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
        data.append(Data(chunk.utf8))
        for number in [width, height] {
            data.append(
                contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) })
        }
        return data + Data([8, 6, 0, 0, 0, 1, 2, 3, 4])
    }

    /// The beginning of a JPEG picture, with a segment before its frame.
    static func jpeg(frame: UInt8 = 0xC0, before: [UInt8] = [0xFF, 0xE0, 0, 4, 1, 2]) -> Data {
        Data([0xFF, 0xD8] + before + [0xFF, frame, 0, 17, 8, 0x03, 0x98, 0x02, 0x80, 3])
    }

    @Test func `a PNG picture says its size`() {
        #expect(
            ImageHeader(of: Self.png()) == ImageHeader(format: .png, width: 640, height: 920))
    }

    @Test(arguments: [0xC0, 0xC1, 0xC2] as [UInt8])
    func `a JPEG picture says its size, whatever stands before`(frame: UInt8) {
        let header = ImageHeader(format: .jpeg, width: 640, height: 920)
        #expect(ImageHeader(of: Self.jpeg(frame: frame)) == header)
        #expect(ImageHeader(of: Self.jpeg(frame: frame, before: [0xFF, 0xFF, 0xFF])) == header)
        let filled: [UInt8] = [0xFF, 0xE1, 0, 2, 0xFF, 0xFF]
        #expect(ImageHeader(of: Self.jpeg(frame: frame, before: filled)) == header)
    }

    static let broken: [Data] = [
        Data(), Data("GIF89a".utf8), png().prefix(32), png(width: 0), png(height: 0),
        png(chunk: "IDAT"), jpeg().prefix(14), jpeg(before: [0xFF, 0xD9]),
        jpeg(before: [0xFF, 0xE0, 0, 1]), jpeg(before: [0, 0xE0, 0, 2]),
        jpeg(frame: 0xDA), Data([0xFF, 0xD8, 0xFF]), Data([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF]),
    ]

    @Test(arguments: broken)
    func `anything else is no picture`(bytes: Data) {
        #expect(ImageHeader(of: bytes) == nil)
        #expect(AssetRules.problem(with: ImageHeader(of: bytes), as: .image) != nil)
    }

    @Test func `every beginning of a picture is read without a trap`() {
        for bytes in [Self.png(), Self.jpeg()] {
            for count in 0..<bytes.count {
                #expect(ImageHeader(of: bytes.prefix(count)) == nil || count >= 15)
            }
        }
    }

    @Test(arguments: [(640, 920), (920, 640), (2732, 2048), (1242, 2208)])
    func `a screenshot has the size of a screen, upright or across`(width: Int, height: Int) {
        let header = ImageHeader(format: .png, width: width, height: height)
        #expect(AssetRules.problem(with: header, as: .reviewScreenshot) == nil)
    }

    @Test func `any other size is refused with those that are taken`() throws {
        let header = ImageHeader(format: .png, width: 641, height: 920)
        let problem = try #require(AssetRules.problem(with: header, as: .reviewScreenshot))
        #expect(problem.contains("641 × 920") && problem.contains("640 × 920"))
        #expect(AssetRules.problem(with: header, as: .image)?.contains("1024") == true)
        let square = ImageHeader(format: .jpeg, width: 1024, height: 1024)
        #expect(AssetRules.problem(with: square, as: .image) == nil)
    }

    @Test(
        arguments: [
            ("", 1, "fileName"), ("a/b.png", 1, "fileName"), ("a/\u{301}b.png", 1, "fileName"),
            ("a\u{0}.png", 1, "fileName"),
            (String(repeating: "a", count: 256), 1, "fileName"), ("a.png", 0, "fileSize"),
            ("a.png", -1, "fileSize"), ("a.png", AssetRules.sizeLimit + 1, "fileSize"),
        ] as [(String, Int64, String)])
    func `a place is reserved for a file with a name and a size`(
        name: String, size: Int64, rule: String
    ) {
        #expect { try AssetRules.check(fileName: name, size: size) } throws: {
            ($0 as? ConnectRefusal)?.rule == rule
        }
        #expect(throws: Never.self) {
            try AssetRules.check(fileName: "a.png", size: AssetRules.sizeLimit)
        }
    }
}
