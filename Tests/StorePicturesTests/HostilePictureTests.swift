import Foundation
import StoreCore
import StorePictures
import StoreTestSupport
import Testing

/// Pictures as nobody should send them: each gives an error, none a crash.
@Suite struct HostilePictureTests {
    static let square = SamplePicture.square(24)

    private func problem(_ bytes: Data) -> PictureProblem? {
        do {
            _ = try Picture(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `what is no picture says so`() {
        for bytes in [
            Data(), Data([0]), Data("GIF89a".utf8), Data("<svg/>".utf8), Data(count: 999),
        ] {
            #expect(problem(bytes) == .unknownFormat)
        }
    }

    @Test func `a picture that ends too early is damaged, wherever it ends`() {
        for count in 0..<Self.square.count {
            #expect(problem(Self.square.prefix(count)) != nil, "\(count) bytes")
        }
        // The last two bytes of a JPEG say that it ends.
        for count in 0..<PictureTests.jpeg.count - 2 {
            #expect(problem(PictureTests.jpeg.prefix(count)) != nil, "\(count) bytes")
        }
    }

    @Test func `a changed byte never does more than damage`() {
        for original in [Self.square, PictureTests.jpeg, PictureTests.photograph(6)] {
            for index in original.indices {
                for change in [0xFF, 0x01, 0x80] as [UInt8] {
                    var bytes = original
                    bytes[index] ^= change
                    let picture = try? Picture(bytes)
                    if let picture {
                        #expect(picture.width * picture.height <= Picture.pixelLimit)
                    }
                }
            }
        }
    }

    @Test func `pixels whose checksum is wrong are damaged`() throws {
        let place = try #require(Self.square.range(of: Data("IDAT".utf8))).upperBound + 40
        var bytes = Self.square
        bytes[place] ^= 1
        #expect(problem(bytes) == .damaged)
    }

    @Test(arguments: [(25, 24), (24, 25), (4000, 4000), (1, 65_535)])
    func `a header that promises more than there is lies`(width: Int, height: Int) {
        let rest = Self.square.dropFirst(8 + SamplePicture.header(24, 24).count)
        let bytes = SamplePicture.signature + SamplePicture.header(width, height) + rest
        #expect(problem(bytes) == .damaged)
    }

    @Test(arguments: [
        (65_536, 1), (1, 40_000_000), (6400, 6400), (65_535, 65_535), (0x7FFF_FFFF, 0x7FFF_FFFF),
    ])
    func `too many pixels are refused before any is read`(width: Int, height: Int) {
        let bytes = SamplePicture.signature + SamplePicture.header(width, height)
        #expect(
            problem(bytes)
                == .tooManyPixels(width: width, height: height, limit: Picture.pixelLimit))
    }

    @Test func `a JPEG that promises more than there is lies`() throws {
        // The frame's header: length, bits, height, width.
        let frame = Data([0xFF, 0xC0, 0x00, 0x11, 0x08])
        let place = try #require(PictureTests.jpeg.range(of: frame)).upperBound
        for (height, width) in [(800, 16), (8, 1600), (6000, 6000)] {
            var bytes = PictureTests.jpeg
            bytes.replaceSubrange(
                place..<place + 4,
                with: [
                    UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255),
                ])
            #expect(problem(bytes) == .damaged, "\(width) × \(height)")
        }
        var bytes = PictureTests.jpeg
        bytes.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(
            problem(bytes)
                == .tooManyPixels(width: 65_535, height: 65_535, limit: Picture.pixelLimit))
    }

    @Test func `a JPEG with hundreds of scans is refused`() throws {
        let scan = try #require(PictureTests.jpeg.range(of: Data([0xFF, 0xDA]))).lowerBound
        let end = PictureTests.jpeg.count - 2
        let one = PictureTests.jpeg[scan..<end]
        var bytes = PictureTests.jpeg[..<end]
        for _ in 0..<200 { bytes += one }
        #expect(problem(Data(bytes + PictureTests.jpeg[end...])) == .damaged)
    }

    @Test func `chunks that nobody needs are not looked into`() throws {
        // Texts that unpack to more than libpng takes, and a profile that is none.
        let bomb = SamplePicture.chunk(
            "zTXt", Data("bomb\u{0}\u{0}".utf8) + SamplePicture.zlib(Data(count: 200_000)))
        let profile = SamplePicture.chunk("iCCP", Data("x\u{0}\u{0}garbage".utf8))
        let at = 8 + SamplePicture.header(24, 24).count
        let bytes = Self.square[..<at] + profile + bomb + Self.square[at...]
        #expect(problem(Data(bytes)) == nil)
        let unknown = SamplePicture.chunk("ABCD", Data([1]))
        #expect(
            problem(Data(Self.square[..<at] + unknown + Self.square[at...])) == .damaged,
            "one that must be understood")
    }

    /// In a process of its own: what others write there may have the same words in it.
    @Test func `what libgd thinks of them is not written to standard error`() async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            for bytes in [HostilePictureTests.square, PictureTests.jpeg] {
                for count in stride(from: 30, to: bytes.count, by: 11) {
                    _ = try? Picture(bytes.prefix(count))
                }
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self).lowercased()
        for word in ["png", "jpeg", "gd-", "premature"] {
            #expect(!text.contains(word), "\(text)")
        }
    }
}
