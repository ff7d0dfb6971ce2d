import Foundation
import StoreModel
import StoreMetadata

/// What AppStream's metainfo says about an app.
///
/// Source: https://www.freedesktop.org/software/appstream/docs/chap-Metadata.html
struct AppMetainfo {
    /// A file of more bytes is refused.
    static let sizeLimit: Int64 = 1 << 20

    /// `<id>`, without the ending `.desktop` that it had once.
    private(set) var identifier: String?
    /// `<name>` without a language.
    private(set) var name: String?
    /// `<release version="…">`, as they stand there.
    private(set) var releases: [String] = []
    /// `<launchable type="desktop-id">`: names of desktop entries.
    private(set) var launchables: [String] = []

    /// - Throws: `MarkupError`.
    init(_ data: Data) throws {
        var limits = MarkupLimits()
        limits.bytes = Int(Self.sizeLimit)
        let reader = MarkupReader(limits: limits, bytes: [UInt8](data))
        var open: [MarkupTag] = []
        while let event = try reader.next() {
            switch event {
            case .start(let tag):
                if tag.name == "release", open.last?.name == "releases",
                    let version = tag["version"]
                {
                    releases.append(version)
                }
                open.append(tag)
            case .end: open.removeLast()
            case .text(let text):
                guard open.dropLast().last?.name == "component", let tag = open.last else {
                    continue
                }
                take(text.trimmingCharacters(in: .whitespacesAndNewlines), of: tag)
            }
        }
    }

    private mutating func take(_ text: String, of tag: MarkupTag) {
        switch tag.name {
        case "id": identifier = identifier ?? String(text.dropping(suffix: ".desktop") ?? text[...])
        case "name" where tag["xml:lang"] == nil: name = name ?? text
        case "launchable" where tag["type"] == "desktop-id": launchables.append(text)
        default: break
        }
    }

    /// The newest release, whatever the order.
    var version: ContentVersion? { releases.compactMap { ContentVersion($0) }.max() }
}
