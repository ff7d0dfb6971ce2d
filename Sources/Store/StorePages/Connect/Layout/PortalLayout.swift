import StoreCore

/// What all pages of the portal have in common: head, navigation, trail, heading.
struct PortalLayout: Sendable {
    /// Where the skip link leads.
    private static let contentID = "content"

    let files: PortalFiles

    /// - Parameter frame: nil for a page to nobody in particular.
    func document(_ page: PortalPage, in frame: PortalFrame?) -> HTML {
        .element(
            "html", [.init("lang", "en")],
            [
                head(page),
                frame.flatMap { frame in
                    frame.visitor.map { body(page, frame, $0) }
                } ?? lone(page, frame),
            ])
    }

    private func head(_ page: PortalPage) -> HTML {
        .element(
            "head", [],
            [
                .element("meta", [.init("charset", "utf-8")]),
                .element(
                    "meta",
                    [
                        .init("name", "viewport"),
                        .init("content", "width=device-width, initial-scale=1"),
                    ]),
                .element(
                    "meta", [.init("name", "color-scheme"), .init("content", "light dark")]),
                .element("meta", [.init("name", "robots"), .init("content", "noindex")]),
                .element("title", "\(page.title) — OpenStore Connect"),
                .element(
                    "link", [.init("rel", "stylesheet"), .init("href", files.style.path)]),
                .element(
                    "link",
                    [
                        .init("rel", "icon"), .init("type", "image/svg+xml"),
                        .init("href", files.mark.path),
                    ]),
                .element(
                    "script", [.init("type", "module"), .init("src", files.script.path)]),
            ])
    }

    /// A page without navigation: before signing in, and for what went wrong.
    private func lone(_ page: PortalPage, _ frame: PortalFrame?) -> HTML {
        .element(
            "body", class: "lone",
            [
                .element(
                    "main", [.init("class", "card"), .init("id", Self.contentID)],
                    [
                        .element("p", class: "brand", [mark, .text("OpenStore Connect")]),
                        .element("h1", page.title),
                        page.lead.map { .element("p", class: "lead", $0) } ?? .nothing,
                        notice(frame),
                    ] + page.content)
            ])
    }

    private func body(_ page: PortalPage, _ frame: PortalFrame, _ visitor: ConnectVisitor) -> HTML {
        let navigation = PortalNavigation(
            visitor: visitor, section: page.section, formToken: frame.visit.formToken)
        return .element(
            "body", [],
            [
                .element(
                    "a", [.init("class", "skip"), .init("href", "#\(Self.contentID)")],
                    "Skip to content"),
                navigation.header(mark: mark),
                .element(
                    "div", class: "frame",
                    [
                        navigation.side(),
                        .element(
                            "main",
                            [
                                .init("id", Self.contentID), .init("tabindex", "-1"),
                                .init("class", page.isNarrow ? "narrow" : "wide"),
                            ],
                            [trail(page), heading(page), notice(frame), page.tabs]
                                + page.content),
                    ]),
            ])
    }

    private var mark: HTML {
        .element(
            "img",
            [
                .init("src", files.mark.path), .init("alt"), .init("width", "32"),
                .init("height", "32"),
            ])
    }

    private func trail(_ page: PortalPage) -> HTML {
        guard !page.trail.isEmpty else { return .nothing }
        let links = page.trail.map { crumb in
            HTML.element("li", [], [.link(crumb.path, crumb.title)])
        }
        let here = HTML.element(
            "li", [], [.element("span", [.init("aria-current", "page")], page.title)])
        return .element(
            "nav", [.init("class", "trail"), .init("aria-label", "Breadcrumb")],
            [.element("ol", [], links + [here])])
    }

    private func heading(_ page: PortalPage) -> HTML {
        .element(
            "div", class: "heading",
            [
                .element(
                    "div", class: "names",
                    [
                        page.kind.map { .element("p", class: "kind", $0) } ?? .nothing,
                        .element(
                            "h1", [], [.foreign(page.title), .text(" "), page.badge]),
                        page.lead.map { .element("p", class: "lead", $0) } ?? .nothing,
                    ]),
                page.actions.isEmpty ? .nothing : .element("div", class: "doings", page.actions),
            ])
    }

    private func notice(_ frame: PortalFrame?) -> HTML {
        guard let text = frame?.visit.browser.notice else { return .nothing }
        return PortalNotice(.good, text, isNews: true).html
    }
}
