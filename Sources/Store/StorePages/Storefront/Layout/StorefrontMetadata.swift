import StoreModel

/// What the head of a page tells programs: search engines, and who shows links to it.
struct StorefrontMetadata {
    /// As much of a description as such programs show, in characters.
    private static let summaryLimit = 200

    let page: StorefrontPage
    let frame: StorefrontFrame

    private var base: String { frame.origin + frame.environment.pathPrefix }

    var pieces: [HTML] {
        // Who tests is not to be found by search engines.
        guard let canonical = page.canonical, frame.environment == .production else {
            return [named("robots", "noindex")] + page.structuredData.map { .structured($0) }
        }
        return [link("canonical", base + canonical)] + alternates + graph(base + canonical)
            + page.structuredData.map { .structured($0) }
    }

    private var alternates: [HTML] {
        guard page.alternates.count > 1 else { return [] }
        let here = page.alternates.first { $0.storefront == .unitedStates } ?? page.alternates[0]
        return page.alternates.map { alternate(Self.language(of: $0.storefront), $0.address) }
            + [alternate("x-default", here.address)]
    }

    /// Language and region as pages in other languages are told apart by, `fr-CA`.
    private static func language(of storefront: Storefront) -> String {
        "\(storefront.locale.prefix { $0 != "_" })-\(storefront.country)"
    }

    private func alternate(_ language: String, _ address: String) -> HTML {
        .element(
            "link",
            [
                .init("rel", "alternate"), .init("hreflang", language), .init("href", address),
            ])
    }

    private func graph(_ address: String) -> [HTML] {
        let summary = Self.summary(page.summary)
        let picture = page.picture.map { [property("og:image", $0)] } ?? []
        return [
            summary.isEmpty ? .nothing : named("description", summary),
            property("og:type", page.graphType), property("og:title", page.title),
            property("og:url", address),
            property("og:site_name", StorefrontLayout.storeName),
            property("og:locale", frame.storefront.locale),
            summary.isEmpty ? .nothing : property("og:description", summary),
            named("twitter:card", page.picture == nil ? "summary" : "summary_large_image"),
            named("twitter:title", page.title),
            summary.isEmpty ? .nothing : named("twitter:description", summary),
            page.picture.map { named("twitter:image", $0) } ?? .nothing,
        ] + picture
    }

    /// One line of a text.
    static func summary(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard line.count > summaryLimit else { return line }
        return line.prefix(summaryLimit - 1) + "…"
    }

    private func named(_ name: String, _ content: String) -> HTML {
        .element("meta", [.init("name", name), .init("content", content)])
    }

    private func property(_ name: String, _ content: String) -> HTML {
        .element("meta", [.init("property", name), .init("content", content)])
    }

    private func link(_ relation: String, _ address: String) -> HTML {
        .element("link", [.init("rel", relation), .init("href", address)])
    }
}
