import Foundation

/// Which pictures the store takes.
package enum AssetRules {
    /// Bytes.
    package static let sizeLimit: Int64 = 10 << 20

    /// Screenshots have the size of some device's screen, upright or across. The sizes are those
    /// of App Store Connect's specification for in-app purchases, and of its desktop screens.
    private static let screens: Set<[Int]> = [
        [640, 920], [640, 960], [640, 1136], [750, 1334], [1242, 2208], [768, 1024],
        [1536, 2048], [2048, 2732], [1125, 2436], [312, 390], [800, 1280], [900, 1440],
        [1600, 2560], [1800, 2880], [1080, 1920],
    ]

    /// What reserves a picture's place.
    ///
    /// - Throws: `ConnectRefusal` with the rules `fileName`, `fileSize`.
    package static func check(fileName: String, size: Int64) throws {
        try FileNameRules.check(fileName)
        guard (1...sizeLimit).contains(size) else {
            throw ConnectRefusal(
                .invalid, rule: "fileSize", field: "fileSize",
                "A picture has 1 to \(sizeLimit) bytes.",
                help: "Save it smaller, as JPEG for example.")
        }
    }

    /// Why a picture that arrived is refused; nil where it is all right.
    package static func problem(with header: ImageHeader?, as kind: ProductAsset.Kind) -> String? {
        guard let header else { return "It is neither a PNG nor a JPEG picture." }
        switch kind {
        case .reviewScreenshot:
            guard !screens.contains([header.width, header.height].sorted()) else { return nil }
            let sizes = screens.sorted { $0.lexicographicallyPrecedes($1) }
                .map { "\($0[0]) × \($0[1])" }.joined(separator: ", ")
            return "It has \(header.width) × \(header.height) pixels; a screenshot has one of "
                + "these sizes, upright or across: \(sizes)."
        case .image:
            guard header.width != 1024 || header.height != 1024 else { return nil }
            return "It has \(header.width) × \(header.height) pixels; an image has 1024 × 1024."
        }
    }
}
