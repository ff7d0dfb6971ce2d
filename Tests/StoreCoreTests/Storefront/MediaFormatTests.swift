import Foundation
import StoreCore
import Testing

/// What files are, by their first bytes.
@Suite struct MediaFormatTests {
    /// Bytes, and the letters behind them.
    private static func file(_ bytes: [UInt8], _ text: String) -> Data {
        var data = Data(bytes)
        data.append(contentsOf: text.utf8)
        return data
    }

    private static func zip(_ name: String, _ content: String) -> Data {
        var data = file([], "PK\u{3}\u{4}")
        data.append(Data(count: 26))
        data.append(contentsOf: (name + content).utf8)
        return data
    }

    private static let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

    private static let known: [(beginning: Data, format: MediaFormat)] = [
        (file([], "ID3\u{3}"), .mp3), (Data([0xFF, 0xFB, 0x90, 0x00]), .mp3),
        (Data([0xFF, 0xF3, 0x40, 0xC4]), .mp3),
        (file([], "RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt "), .wav), (file([], "OggS\u{0}"), .ogg),
        (file([0, 0, 0, 28], "ftypM4A "), .m4a), (file([0, 0, 0, 28], "ftypisom"), .mp4),
        (file(matroska + [0x9F, 0x42, 0x86, 0x81, 1, 0x42, 0x82, 0x84], "webm"), .webm),
        (zip("mimetype", "application/epub+zip"), .epub), (zip("readme.txt", "hello"), .zip),
        (file([], "%PDF-1.7"), .pdf), (Data([0xFF, 0xD8, 0xFF, 0xE0]), .jpeg),
    ]

    @Test(arguments: known)
    func `a format is known by its beginning`(beginning: Data, format: MediaFormat) {
        #expect(MediaFormat(beginning: beginning) == format)
        #expect(MediaFormat(beginning: beginning.dropFirst()) != format)
    }

    private static let unknown: [Data] = [
        Data(), Data([0xFF]), file([], "RIFF\u{1}\u{1}\u{1}\u{1}AVI "),
        file([0, 0, 0, 28], "ftypqt  "), file([], "ftyp"),
        // Matroska, a frame of a reserved rate, an archive of nothing.
        file(matroska + [0x42, 0x82, 0x88], "matroska"), Data([0xFF, 0xFB, 0xF0, 0x00]),
        file([], "PK\u{5}\u{6}"), file([], "<html>"),
    ]

    @Test(arguments: unknown)
    func `anything else is unknown`(beginning: Data) {
        #expect(MediaFormat(beginning: beginning) == nil)
    }

    @Test func `slices are read from where they begin`() {
        let bytes = Data(count: 100) + Data("%PDF-1.7".utf8)
        #expect(MediaFormat(beginning: bytes[100...]) == .pdf)
    }

    @Test(
        arguments: [
            ("100x100bb.png", 100, 100, PictureSize.Fit.within, ImageHeader.Format.png),
            ("1x4096cc.jpg", 1, 4096, .filling, .jpeg), ("60x60.jpg", 60, 60, .within, .jpeg),
        ] as [(String, Int, Int, PictureSize.Fit, ImageHeader.Format)])
    func `a size is read from its address`(
        name: String, width: Int, height: Int, fit: PictureSize.Fit, format: ImageHeader.Format
    ) {
        #expect(
            PictureSize(name)
                == PictureSize(width: width, height: height, fit: fit, format: format))
    }

    @Test(
        arguments: [
            ("100x100bb.png", true), ("100x100cc.jpg", true), ("1200x630bb.png", true),
            ("640x481bb.png", true), ("640x481cc.png", false), ("481x640bb.png", false),
            ("101x101bb.png", false), ("630x1200bb.png", false),
        ])
    func `the sizes of a list are made, and the original's own`(name: String, isMade: Bool) {
        #expect(PictureSize(name)?.isMade(ofWidth: 640, height: 481) == isMade)
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
