import Foundation
import StoreCore
import StoreModel
import StoreTexts

/// What the publisher says about an item.
struct ItemTexts {
    let item: StorefrontItem
    let texts: Texts
    /// The history of versions, the newest first.
    var versions: [ItemPageContent.Version] = []

    var description: HTML {
        let text = item.text.description
        guard !text.isEmpty else { return .nothing }
        return .element(
            "section", [.init("class", "description")],
            [.element("h2", texts.descriptionHeading), paragraph(text)])
    }

    var news: HTML {
        let text = item.text.releaseNotes
        guard !text.isEmpty || versions.count > 1 else { return .nothing }
        let facts = item.item.details.facts
        let version = facts.version.map {
            HTML.element("span", [], [texts.versionAlone(version: .foreign($0))])
        }
        let date = facts.versionDate.map { texts.day($0) }
        return .element(
            "section", [.init("class", "news")],
            [
                .element("h2", texts.whatIsNew),
                version == nil && date == nil
                    ? .nothing
                    : .element("p", class: "about", [version, date].compactMap(\.self)),
                text.isEmpty ? .nothing : paragraph(text), history,
            ])
    }

    private var history: HTML {
        guard versions.count > 1 else { return .nothing }
        let platforms = Set(versions.map(\.platform))
        return .element(
            "details", class: "history",
            [
                .element("summary", texts.historyOfVersions),
                .element(
                    "ol", [],
                    versions.map { version in
                        .element(
                            "li", [],
                            [
                                .element(
                                    "h3", [],
                                    [
                                        texts.versionAlone(version: .foreign(version.version)),
                                        platforms.count > 1
                                            ? .text(" · \(version.platform.title)") : .nothing,
                                    ]),
                                .element(
                                    "p", class: "about", [texts.day(version.released)]),
                                version.notes.isEmpty ? .nothing : paragraph(version.notes),
                            ])
                    }),
            ])
    }

    private func paragraph(_ text: String) -> HTML {
        let language = item.textLocale.map {
            [HTML.Attribute("lang", $0.replacing(scalar: "_", with: "-"))]
        }
        return .element(
            "p", [.init("class", "text"), .init("dir", "auto")] + (language ?? []), text)
    }
}
