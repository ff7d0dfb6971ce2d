/// How something stands, beyond its words.
package enum PortalTone: String, Sendable, CaseIterable {
    case plain, good, busy, warn, bad
}

/// A state in a word or two, for example `Ready to Submit`.
package struct PortalBadge: Sendable {
    package let text: String
    package let tone: PortalTone

    package init(_ text: String, _ tone: PortalTone = .plain) {
        self.text = text
        self.tone = tone
    }

    /// Money that went back: wanted by some and not by others, so that it is neither good nor bad.
    package static let refunded = PortalBadge("Refunded", .plain)

    package var html: HTML {
        .element("span", [.init("class", "badge \(tone.rawValue)")], text)
    }
}

/// A sentence that stands out.
package struct PortalNotice: Sendable {
    private let tone: PortalTone
    private let content: [HTML]
    private let isNews: Bool

    /// - Parameter isNews: whether it says what has just happened, and is read out at once.
    package init(_ tone: PortalTone, _ text: String, isNews: Bool = false) {
        self.init(tone, [.element("p", text)], isNews: isNews)
    }

    package init(_ tone: PortalTone, _ content: [HTML], isNews: Bool = false) {
        self.tone = tone
        self.content = content
        self.isNews = isNews
    }

    package var html: HTML {
        var attributes = [HTML.Attribute("class", "notice \(tone.rawValue)")]
        if isNews { attributes.append(.init("role", tone == .bad ? "alert" : "status")) }
        return .element("div", attributes, content)
    }
}
