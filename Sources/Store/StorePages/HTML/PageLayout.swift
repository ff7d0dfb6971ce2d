import Foundation
import StoreHTTP
import StoreModel
import StoreTexts

/// What all pages have in common: one card with the app's name, and the headers that
/// keep it alone.
package struct PageLayout: Sendable {
    private let assets: PageAssets
    /// Where the assets lie, seen from the page.
    private let assetBase: String
    /// What stands on the page that is not somebody else's.
    package let texts: Texts

    package init(
        assets: PageAssets, assetBase: String = "../assets/", texts: Texts = .english
    ) {
        self.assets = assets
        self.assetBase = assetBase
        self.texts = texts
    }

    /// The layout for the customer of a browser.
    func reading(_ texts: Texts) -> PageLayout {
        PageLayout(assets: assets, assetBase: assetBase, texts: texts)
    }

    /// A page with a question.
    ///
    /// - Parameters:
    ///   - title: the heading.
    ///   - appName: nil where no app is known.
    package func card(
        title: String, appName: String?, environment: StoreEnvironment, _ content: [HTML]
    ) -> HTML {
        document(
            title, environment,
            .element("main", class: "card", [head(appName, environment)] + content))
    }

    /// A page that says how something ended.
    package func result(
        sign: String, title: String, text: String, appName: String? = nil,
        environment: StoreEnvironment
    ) -> HTML {
        document(
            title, environment,
            .element(
                "main", class: "card result",
                [
                    head(appName, environment),
                    .element(
                        "p", [.init("class", "sign"), .init("aria-hidden", "true")], sign),
                    .element("h1", title), .element("p", class: "lead", text),
                ]))
    }

    private func head(_ appName: String?, _ environment: StoreEnvironment) -> HTML {
        .element(
            "header", class: "head",
            [
                .element(
                    "img",
                    [
                        .init("src", assetBase + assets.mark.name), .init("alt"),
                        .init("width", "40"), .init("height", "40"),
                    ]),
                appName.map { .element("p", class: "app", [.foreign($0)]) } ?? .nothing,
                environment == .sandbox
                    ? .element("p", class: "sandbox", texts.sandboxMark) : .nothing,
            ])
    }

    private func document(_ title: String, _ environment: StoreEnvironment, _ main: HTML) -> HTML {
        let note =
            environment == .sandbox ? texts.noMoney : texts.checkAddress
        return .element(
            "html", [.init("lang", texts.language.rawValue)],
            [
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
                            "meta",
                            [.init("name", "color-scheme"), .init("content", "light dark")]),
                        .element(
                            "meta", [.init("name", "robots"), .init("content", "noindex")]),
                        .element("title", title),
                        .element(
                            "link",
                            [
                                .init("rel", "stylesheet"),
                                .init("href", assetBase + assets.style.name),
                            ]),
                        .element(
                            "link",
                            [
                                .init("rel", "icon"), .init("type", "image/svg+xml"),
                                .init("href", assetBase + assets.mark.name),
                            ]),
                    ]),
                .element("body", [], [main, .element("footer", note)]),
            ])
    }
}

extension HTTPResponse {
    /// A page, which runs no script, can't be framed and is kept by nobody.
    package static func page(_ page: HTML, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders(
                layoutHeaders + [(name: "Content-Type", value: "text/html; charset=utf-8")]),
            body: Data(page.document().utf8))
    }

    /// The answer to a form that no page of ours has given to this browser.
    static func foreignForm(in layout: PageLayout, _ environment: StoreEnvironment) -> HTTPResponse
    {
        .page(
            layout.result(
                sign: "!", title: layout.texts.notTaken, text: layout.texts.foreignForm,
                environment: environment), status: 403)
    }

    /// To a page, by GET, so that nothing is sent twice.
    package static func redirect(to location: String) -> HTTPResponse {
        HTTPResponse(
            status: 303, headers: HTTPHeaders(layoutHeaders + [(name: "Location", value: location)])
        )
    }

    /// A status for a script of a page.
    static func pageSign(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, headers: HTTPHeaders(layoutHeaders))
    }

    private static var layoutHeaders: [(name: String, value: String)] {
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
                    + "base-uri 'none'; frame-ancestors 'none'"
            ),
            ("Cache-Control", "no-store"),
        ] + pageHeaders
    }
}
