import StoreModel
import StoreTexts

/// What all pages for customers have in common: head, search, navigation, foot.
package struct StorefrontLayout: Sendable {
    package static let storeName = "OpenStore"
    /// Where the skip link leads.
    private static let contentID = "content"

    /// What the navigation leads to: segments of charts, and what people call them.
    static let sections: [(segment: String, title: String)] = [
        ("app", "Apps"), ("book", "Books"), ("album", "Music"), ("movie", "Films"),
        ("tv-season", "TV"), ("podcast", "Podcasts"), ("audiobook", "Audiobooks"),
    ]

    package let frame: StorefrontFrame

    package init(_ frame: StorefrontFrame) {
        self.frame = frame
    }

    /// - Parameter term: what stands in the search field.
    package func document(_ page: StorefrontPage, term: String = "") -> HTML {
        if let app = frame.app { return shown(page, by: app) }
        return .element(
            "html", [.init("lang", frame.texts.language.rawValue)],
            [
                head(page),
                .element(
                    "body", [],
                    [
                        .element(
                            "a", [.init("class", "skip"), .init("href", "#\(Self.contentID)")],
                            frame.texts.skipToContent),
                        top(page, term: term),
                        .element(
                            "main", [.init("id", Self.contentID), .init("tabindex", "-1")],
                            page.content),
                        foot,
                    ]),
            ])
    }

    /// A page that an app shows: without search, navigation and foot. Its script tells the app
    /// whether somebody looks at it.
    private func shown(_ page: StorefrontPage, by app: AppFrame) -> HTML {
        let script = HTML.element(
            "script",
            [.init("type", "module"), .init("src", asset(frame.assets.presenceScript))], [])
        return .element(
            "html", [.init("lang", frame.texts.language.rawValue)],
            [
                head(page, [script]),
                .element(
                    "body", class: "focused",
                    [
                        .element(
                            "header", class: "top",
                            [
                                .element(
                                    "div", class: "bar",
                                    [.element("p", class: "brand", brand), sandboxMark])
                            ]),
                        .element(
                            "main", [.init("id", Self.contentID), .init("tabindex", "-1")],
                            [app.top(frame.texts)] + page.content),
                    ]),
            ])
    }

    private func head(_ page: StorefrontPage, _ more: [HTML] = []) -> HTML {
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
                meta("color-scheme", "light dark"),
                .element("title", "\(page.title) – \(Self.storeName)"),
                .element(
                    "link",
                    [
                        .init("rel", "stylesheet"),
                        .init("href", asset(frame.assets.storefrontStyle)),
                    ]),
                .element(
                    "link",
                    [
                        .init("rel", "icon"), .init("type", "image/svg+xml"),
                        .init("href", asset(frame.assets.mark)),
                    ]),
            ] + StorefrontMetadata(page: page, frame: frame).pieces + more)
    }

    private func meta(_ name: String, _ content: String) -> HTML {
        .element("meta", [.init("name", name), .init("content", content)])
    }

    private func asset(_ file: PageAssets.File) -> String {
        "\(frame.environment.pathPrefix)/assets/\(file.name)"
    }

    private var brand: [HTML] {
        [
            .element(
                "img",
                [
                    .init("src", asset(frame.assets.mark)), .init("alt"), .init("width", "32"),
                    .init("height", "32"),
                ]), .text(Self.storeName),
        ]
    }

    private var sandboxMark: HTML {
        frame.environment == .sandbox
            ? .element("p", class: "sandbox", Texts.english.sandboxMark) : .nothing
    }

    private func top(_ page: StorefrontPage, term: String) -> HTML {
        .element(
            "header", class: "top",
            [
                .element(
                    "div", class: "bar",
                    [
                        .element(
                            "a", [.init("class", "brand"), .init("href", frame.home)], brand),
                        sandboxMark, search(term),
                        .slot(.account, signIn(page)),
                    ]),
                .element(
                    "nav", [.init("class", "kinds"), .init("aria-label", "Kinds")],
                    [
                        .element(
                            "ul", [],
                            Self.sections.map { section in
                                kind(section, isHere: page.section == section.segment)
                            })
                    ]),
            ])
    }

    private func kind(_ section: (segment: String, title: String), isHere: Bool) -> HTML {
        let path = frame.path("charts/\(section.segment)")
        return .element(
            "li", [],
            [
                .element(
                    "a",
                    [.init("href", path)] + (isHere ? [.init("aria-current", "page")] : []),
                    section.title)
            ])
    }

    private func search(_ term: String) -> HTML {
        .element(
            "form",
            [
                .init("role", "search"), .init("class", "search"),
                .init("action", frame.path("find")), .init("method", "get"),
            ],
            [
                .element(
                    "input",
                    [
                        .init("type", "search"), .init("name", "term"), .init("value", term),
                        .init("aria-label", "Search the store"), .init("placeholder", "Search"),
                        .init("maxlength", "200"), .init("spellcheck", "false"),
                    ]),
                .element("button", [.init("type", "submit")], "Search"),
            ])
    }

    private func signIn(_ page: StorefrontPage) -> HTML {
        let back = page.returnPath ?? page.canonical.map { frame.environment.pathPrefix + $0 }
        return .element(
            "a",
            [
                .init("class", "account"),
                .init("href", frame.path("account", [("next", back ?? "")])),
            ], "Sign In")
    }

    /// Who is signed in.
    static func account(_ email: String, in frame: StorefrontFrame) -> HTML {
        .element(
            "a",
            [.init("class", "account known"), .init("href", frame.path("account"))],
            [.element("span", class: "unseen", "Account: "), .foreign(email)])
    }

    private var foot: HTML {
        .element(
            "footer", class: "foot",
            [
                .element(
                    "nav", [.init("aria-label", "Store")],
                    [
                        .element(
                            "a", [.init("href", frame.path("countries"))],
                            [
                                .element("span", class: "unseen", "Country: "),
                                .text(frame.storefront.name),
                            ]),
                        .element("a", [.init("href", frame.path("account"))], "Purchases"),
                        .element("a", [.init("href", PortalPath.start)], "For publishers"),
                    ]),
                frame.environment == .sandbox
                    ? .element("p", [], "This is a test. No money changes hands.") : .nothing,
            ])
    }
}
