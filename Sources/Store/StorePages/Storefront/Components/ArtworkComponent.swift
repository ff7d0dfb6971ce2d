import StoreCore
import StoreModel

/// The picture of an item: a square, with round corners where it is an app's icon.
struct ArtworkComponent {
    let item: StorefrontItem
    let links: StorefrontLinks

    /// - Parameters:
    ///   - side: pixels of the style sheet.
    ///   - isFirst: whether it is seen at once, and not to be waited for.
    func html(side: Int, isFirst: Bool = false) -> HTML {
        let isIcon = item.kind == .software || item.kind == .macSoftware
        let style = isIcon ? "art icon" : "art"
        guard let artwork = item.artwork else {
            return .element(
                "span", [.init("class", "\(style) blank"), .init("aria-hidden", "true")],
                String(item.text.title.first { $0.isLetter || $0.isNumber } ?? "•").uppercased())
        }
        func address(_ scale: Int) -> String {
            links.artwork(artwork, width: side * scale, height: side * scale)
        }
        return .element(
            "img",
            [
                .init("class", style), .init("src", address(1)),
                .init("srcset", "\(address(1)) 1x, \(address(2)) 2x, \(address(3)) 3x"),
                .init("alt"), .init("width", String(side)), .init("height", String(side)),
                .init("decoding", "async"),
                isFirst ? .init("fetchpriority", "high") : .init("loading", "lazy"),
            ])
    }
}
