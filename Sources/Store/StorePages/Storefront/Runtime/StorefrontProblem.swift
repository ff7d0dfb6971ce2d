import StoreModel

/// A page for an address where there is nothing, or for what went wrong.
struct StorefrontProblem: Error, Sendable {
    var status: Int
    var title: String
    var text: String
    /// What follows the text: links to where to go on.
    var more: [HTML] = []

    static let unknown = StorefrontProblem(
        status: 404, title: "Nothing Here",
        text: "There is no page at this address. It may have been mistyped, or what was here is "
            + "not sold any more. Search for it instead.")

    static let foreignForm = StorefrontProblem(
        status: 403, title: "Not Taken",
        text: "The form did not come from a page of this store in this browser, or cookies are "
            + "blocked. Nothing was changed. Go back, reload the page and try again.")

    static let notUnderstood = StorefrontProblem(
        status: 400, title: "Not Understood",
        text: "What was sent is not the form of this page. Go back, reload the page and try "
            + "again.")

    static let broken = StorefrontProblem(
        status: 500, title: "Something Broke",
        text: "The store failed. Reload the page to see what became of what you did.")

    func page(in frame: StorefrontFrame) -> StorefrontPage {
        let back = frame.app?.path ?? frame.home
        return StorefrontPage(
            title,
            [
                .element(
                    "section", class: "message",
                    [
                        .element("h1", title), .element("p", class: "lead", text),
                        .group(more), frame.app == nil ? search(frame) : .nothing,
                        .element(
                            "p", [],
                            [
                                .element(
                                    "a", [.init("href", back)],
                                    frame.app == nil
                                        ? "To the start page of the store" : frame.texts.backToPage)
                            ]),
                    ])
            ])
    }

    private func search(_ frame: StorefrontFrame) -> HTML {
        .element(
            "form",
            [
                .init("class", "search"), .init("method", "get"),
                .init("action", frame.path("find")),
            ],
            [
                .element(
                    "input",
                    [
                        .init("type", "search"), .init("name", "term"),
                        .init("aria-label", "What to search for"), .init("maxlength", "200"),
                    ]),
                .element(
                    "button", [.init("type", "submit"), .init("class", "primary")], "Search"),
            ])
    }
}
