import Foundation

/// Which media the store takes of an item.
package enum ItemMediaRules {
    /// Pixels of a side.
    package static let artworkSides = 512...4096
    package static let screenshotSides = 160...5120

    /// How many an item has of a kind.
    package static func count(of kind: ItemMedia.Kind) -> Int {
        switch kind {
        case .artwork, .download: 1
        case .screenshot, .tabletScreenshot: 10
        case .audioPreview, .videoPreview: 3
        }
    }

    /// Bytes of one file.
    package static func sizeLimit(of kind: ItemMedia.Kind) -> Int64 {
        switch kind {
        case .artwork, .screenshot, .tabletScreenshot: 20 << 20
        case .audioPreview: 50 << 20
        case .videoPreview: 500 << 20
        case .download: 4 << 30
        }
    }

    package static func formats(of kind: ItemMedia.Kind) -> [MediaFormat] {
        switch kind {
        case .artwork, .screenshot, .tabletScreenshot: [.png, .jpeg]
        case .audioPreview: [.mp3, .m4a, .wav, .ogg]
        case .videoPreview: [.mp4, .webm]
        case .download: [.epub, .pdf, .mp3, .m4a, .mp4, .webm, .zip]
        }
    }

    /// What a file is, by its first bytes.
    ///
    /// - Throws: `ConnectRefusal` with the rules `mediaFormat`, `fileNameExtension`.
    package static func format(
        beginning: Data, fileName: String, as kind: ItemMedia.Kind
    ) throws -> MediaFormat {
        let ending = fileName.split(scalar: ".").last.map { $0.lowercased() } ?? ""
        let allowed = formats(of: kind)
        var format = MediaFormat(beginning: beginning)
        // Many encoders write the brand of films before what has sound only.
        if format == .mp4, MediaFormat.m4a.nameExtensions.contains(ending) { format = .m4a }
        guard let format, allowed.contains(format) else {
            let names = allowed.map(\.title).joined(separator: ", ")
            throw ConnectRefusal(
                .invalid, rule: "mediaFormat", field: "fileName",
                format.map { "\(fileName) is \($0.title), which is no \(title(of: kind))." }
                    ?? "\(fileName) is nothing that the store knows as \(title(of: kind)).",
                help: "It can be one of: \(names).")
        }
        guard format.nameExtensions.contains(ending), fileName.contains(scalar: ".") else {
            let names = format.nameExtensions.map { ".\($0)" }.joined(separator: " or ")
            throw ConnectRefusal(
                .invalid, rule: "fileNameExtension", field: "fileName",
                "\(fileName) is \(format.title), and is not called so.",
                help: "Let its name end with \(names).")
        }
        return format
    }

    /// - Throws: `ConnectRefusal` with the rule `pictureSize`.
    package static func check(_ header: ImageHeader, as kind: ItemMedia.Kind) throws {
        let (width, height) = (header.width, header.height)
        let problem: String? =
            switch kind {
            case .artwork where width != height || !artworkSides.contains(width):
                "an artwork is square, with \(words(artworkSides)) pixels on each side"
            case .screenshot where !isScreenshot(width, height),
                .tabletScreenshot where !isScreenshot(width, height):
                "a screenshot has \(words(screenshotSides)) pixels on each side, and is at most "
                    + "four times as long as wide"
            default: nil
            }
        guard let problem else { return }
        throw ConnectRefusal(
            .invalid, rule: "pictureSize", field: "fileName",
            "The picture has \(width) × \(height) pixels; \(problem).",
            help: "Send it in another size.")
    }

    private static func isScreenshot(_ width: Int, _ height: Int) -> Bool {
        screenshotSides.contains(width) && screenshotSides.contains(height)
            && max(width, height) <= 4 * min(width, height)
    }

    private static func words(_ range: ClosedRange<Int>) -> String {
        "\(range.lowerBound) to \(range.upperBound)"
    }

    /// What people call one of a kind.
    package static func title(of kind: ItemMedia.Kind) -> String {
        switch kind {
        case .artwork: "artwork"
        case .screenshot: "screenshot"
        case .tabletScreenshot: "screenshot of a tablet"
        case .audioPreview: "audio preview"
        case .videoPreview: "video preview"
        case .download: "download"
        }
    }
}
