/// Links to the pages before and behind one of a list that is too long to be counted through:
/// each page says where the next one begins. The query's `page` holds what the list gave.
package struct PortalCursorPaging: Sendable {
    private let total: Int?
    private let shown: Int
    private let previous: String?
    private let next: String?
    /// What the link back is called.
    private let back: String

    /// - Parameters:
    ///   - total: as many rows as there are; nil where nobody has counted.
    ///   - shown: as many as this page has.
    ///   - previous: what leads back; nil on the first page.
    ///   - next: what leads on; nil on the last page.
    package init(total: Int?, shown: Int, previous: String?, next: String?) {
        self.total = total
        self.shown = shown
        self.previous = previous
        self.next = next
        back = "Previous"
    }

    /// For lists that only lead on: back is where they begin.
    package init(total: Int?, shown: Int, isFirst: Bool, next: String?) {
        self.total = total
        self.shown = shown
        previous = isFirst ? nil : ""
        self.next = next
        back = "First Page"
    }

    package func html(_ call: PortalCall) -> HTML {
        guard shown > 0 || previous != nil else { return .nothing }
        let all = total.map { PortalFormatting.count($0, "in all", "in all") } ?? "of many"
        func link(_ title: String, _ cursor: String?) -> HTML {
            guard let cursor else {
                return .element(
                    "span", [.init("class", "button off"), .init("aria-disabled", "true")], title)
            }
            return .buttonLink(call.link(changing: [("page", cursor)]), title)
        }
        return .element(
            "nav", [.init("class", "paging"), .init("aria-label", "Pages")],
            [
                .element("p", "\(shown) shown, \(all)"),
                previous == nil && next == nil
                    ? .nothing : .group([link(back, previous), link("Next", next)]),
            ])
    }
}
