import Foundation

/// In which size and format somebody wants a picture: the last part of its address, as in
/// `100x100bb.png`.
package struct PictureSize: Sendable, Hashable {
    package enum Fit: String, Sendable, Hashable {
        /// All of the picture, within the bounds: `bb`, or nothing.
        case within = "bb"
        /// The bounds filled, what stands over is cut off on both sides: `cc`.
        case filling = "cc"
    }

    package static let limit = 4096

    /// Pixels, from 1 to `limit`.
    package let width: Int
    package let height: Int
    package let fit: Fit
    package let format: ImageHeader.Format

    package init(width: Int, height: Int, fit: Fit, format: ImageHeader.Format) {
        self.width = width
        self.height = height
        self.fit = fit
        self.format = format
    }

    /// Reads the last part of an address; nil for anything but `{w}x{h}`, `bb`, `cc` or nothing,
    /// and `.png` or `.jpg`. Numbers have one spelling, so that caches see one address.
    package init?(_ name: String) {
        guard name.utf8.count <= 20, name.utf8.allSatisfy({ $0 < 0x80 }),
            let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        else { return nil }
        let format: ImageHeader.Format
        switch name[name.index(after: dot)...] {
        case "png": format = .png
        case "jpg": format = .jpeg
        default: return nil
        }
        var size = name[..<dot]
        var fit = Fit.within
        for suffix in [Fit.within, .filling] where size.hasSuffix(scalars: suffix.rawValue) {
            fit = suffix
            size = size.dropLast(2)
            break
        }
        let sides = size.split(scalar: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Self.side(sides[0]), let height = Self.side(sides[1])
        else { return nil }
        self.init(width: width, height: height, fit: fit, format: format)
    }

    private static func side(_ text: Substring) -> Int? {
        guard let number = Int(text), String(number) == text, (1...limit).contains(number) else {
            return nil
        }
        return number
    }

    /// The squares that are made: what the search API, the feeds and the pages name, and those
    /// that apps like to ask for.
    package static let squares: [Int] = [
        16, 30, 32, 48, 50, 53, 60, 64, 75, 80, 100, 120, 128, 150, 160, 170, 192, 200, 240, 256,
        300, 320, 384, 400, 480, 512, 600, 640, 720, 800, 1024, 1200, 2048, limit,
    ]
    /// Width and height of what is made beside them: pictures of links, stills and galleries.
    package static let oblongs: [[Int]] = [[1200, 630], [1280, 720], [920, 460], [1840, 920]]

    /// Whether the store makes this size: one of the list, or the original's own, which feeds
    /// name. To make any size would let anybody who asks fill time and disk with millions.
    ///
    /// - Parameters: the original's pixels; nil where they are not known.
    package func isMade(ofWidth width: Int?, height: Int?) -> Bool {
        let isOwn = self.width == width && self.height == height && fit == .within
        let isListed =
            self.width == self.height
            ? Self.squares.contains(self.width)
            : Self.oblongs.contains([self.width, self.height])
        return isListed || isOwn
    }

    /// What is taken of an original, and how large it becomes.
    package struct Plan: Sendable, Hashable {
        /// The part that is shown, in pixels of the original.
        package let x: Int
        package let y: Int
        package let sourceWidth: Int
        package let sourceHeight: Int
        /// Pixels of what is made; never more than the part has.
        package let width: Int
        package let height: Int
    }

    /// - Parameters: the original's pixels.
    package func plan(ofWidth sourceWidth: Int, height sourceHeight: Int) -> Plan {
        switch fit {
        case .within:
            let scale = min(
                1, Double(width) / Double(sourceWidth), Double(height) / Double(sourceHeight))
            return Plan(
                x: 0, y: 0, sourceWidth: sourceWidth, sourceHeight: sourceHeight,
                width: max(1, Int((Double(sourceWidth) * scale).rounded())),
                height: max(1, Int((Double(sourceHeight) * scale).rounded())))
        case .filling:
            // The largest part with the proportions that are asked for.
            let scale = min(
                Double(sourceWidth) / Double(width), Double(sourceHeight) / Double(height))
            let part = (
                width: min(sourceWidth, max(1, Int((Double(width) * scale).rounded()))),
                height: min(sourceHeight, max(1, Int((Double(height) * scale).rounded())))
            )
            return Plan(
                x: (sourceWidth - part.width) / 2, y: (sourceHeight - part.height) / 2,
                sourceWidth: part.width, sourceHeight: part.height,
                width: min(width, part.width), height: min(height, part.height))
        }
    }
}
