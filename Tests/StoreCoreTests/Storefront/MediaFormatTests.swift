import Foundation
import StoreCore
import Testing

/// What files are, by their first bytes.
@Suite struct MediaFormatTests {
    private static func zip(_ name: String, _ content: String) -> Data {
        Data("PK\u{3}\u{4}".utf8) + Data(count: 26) + Data((name + content).utf8)
    }

    @Test(arguments: [
        (Data("ID3\u{3}".utf8), MediaFormat.mp3), (Data([0xFF, 0xFB, 0x90, 0x00]), .mp3),
        (Data([0xFF, 0xF3, 0x40, 0xC4]), .mp3),
        (Data("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ".utf8), .wav), (Data("OggS\u{0}".utf8), .ogg),
        (Data([0, 0, 0, 28]) + Data("ftypM4A ".utf8), .m4a),
        (Data([0, 0, 0, 28]) + Data("ftypisom".utf8), .mp4),
        (
            Data([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84])
                + Data("webm".utf8), .webm
        ),
        (MediaFormatTests.zip("mimetype", "application/epub+zip"), .epub),
        (MediaFormatTests.zip("readme.txt", "hello"), .zip), (Data("%PDF-1.7".utf8), .pdf),
        (Data([0xFF, 0xD8, 0xFF, 0xE0]), .jpeg),
    ])
    func `a format is known by its beginning`(beginning: Data, format: MediaFormat) {
        #expect(MediaFormat(beginning: beginning) == format)
        #expect(MediaFormat(beginning: beginning.dropFirst()) != format)
    }

    @Test(arguments: [
        Data(), Data([0xFF]), Data("RIFF\u{1}\u{1}\u{1}\u{1}AVI ".utf8),
        Data([0, 0, 0, 28]) + Data("ftypqt  ".utf8), Data("ftyp".utf8),
        // Matroska, a frame of a reserved rate, an archive of nothing.
        Data([0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x88]) + Data("matroska".utf8),
        Data([0xFF, 0xFB, 0xF0, 0x00]), Data("PK\u{5}\u{6}".utf8), Data("<html>".utf8),
    ])
    func `anything else is unknown`(beginning: Data) {
        #expect(MediaFormat(beginning: beginning) == nil)
    }

    @Test func `slices are read from where they begin`() {
        let bytes = Data(count: 100) + Data("%PDF-1.7".utf8)
        #expect(MediaFormat(beginning: bytes[100...]) == .pdf)
    }

    @Test(arguments: [
        ("100x100bb.png", 100, 100, PictureSize.Fit.within, ImageHeader.Format.png),
        ("1x4096cc.jpg", 1, 4096, .filling, .jpeg), ("60x60.jpg", 60, 60, .within, .jpeg),
    ])
    func `a size is read from its address`(
        name: String, width: Int, height: Int, fit: PictureSize.Fit, format: ImageHeader.Format
    ) {
        #expect(
            PictureSize(name)
                == PictureSize(width: width, height: height, fit: fit, format: format))
    }

    @Test(arguments: [
        "", ".png", "x.png", "100x.png", "x100.png", "100x100", "100x100bb", "100x100bb.gif",
        "100x100bb.PNG", "0x100bb.png", "100x0bb.png", "4097x1bb.png", "1x4097bb.png",
        "0100x100bb.png", "+100x100bb.png", "-1x1bb.png", "１00x100bb.png", "100x100x100bb.png",
        "100x100bbcc.png", "100x100sr.png", "100x100bb.png.png", "99999999999999999999x1.png",
        "100X100bb.png", " 100x100bb.png",
    ])
    func `anything else is no size`(name: String) {
        #expect(PictureSize(name) == nil)
    }
}
