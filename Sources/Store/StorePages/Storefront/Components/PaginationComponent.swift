import StoreTexts

/// Links to the pages of a long list.
struct PaginationComponent {
    /// From 1 on.
    let page: Int
    let pages: Int
    /// Whether there may be more than that: nobody has counted.
    var isOpen = false
    /// What the pages are of, for who does not see them.
    let label: String
    var texts = Texts.english

    /// - Parameter path: where a page is.
    func html(_ path: (Int) -> String) -> HTML {
        guard pages > 1 else { return .nothing }
        func link(_ number: Int, _ title: String, _ relation: String) -> HTML {
            guard (1...pages).contains(number) else { return .nothing }
            return .element(
                "a",
                [.init("class", "button"), .init("rel", relation), .init("href", path(number))],
                title)
        }
        return .element(
            "nav", [.init("class", "paging"), .init("aria-label", label)],
            [
                link(page - 1, texts.previousPage, "prev"),
                .element(
                    "p", class: "count",
                    isOpen
                        ? "Page \(page)"
                        : texts.pageOfPages(page: texts.number(page), pages: texts.number(pages))),
                link(page + 1, texts.nextPage, "next"),
            ])
    }
}
