import Foundation
import StoreCore
import StoreModel

/// What the publisher says about an item.
struct ItemTexts {
    let item: StorefrontItem

    var description: HTML {
        let text = item.text.description
        guard !text.isEmpty else { return .nothing }
        return .element(
            "section", [.init("class", "description")],
            [.element("h2", "Description"), paragraph(text)])
    }

    var news: HTML {
        let text = item.text.releaseNotes
        guard !text.isEmpty else { return .nothing }
        let facts = item.item.details.facts
        let version = facts.version.map {
            HTML.element("span", [], [.text("Version "), .foreign($0)])
        }
        let date = facts.versionDate.map { PortalWords.day($0) }
        return .element(
            "section", [.init("class", "news")],
            [
                .element("h2", "What’s New"),
                version == nil && date == nil
                    ? .nothing
                    : .element("p", class: "about", [version, date].compactMap(\.self)),
                paragraph(text),
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
