import StoreCore
import StoreModel

/// The button that gets an item: its price, or what a customer has of it.
struct OfferComponent {
    let frame: StorefrontFrame

    /// The button for a customer whom nobody knows, in a slot for the others.
    ///
    /// - Parameter isLarge: whether it is the one that the page is for.
    func html(_ item: StorefrontItem, isLarge: Bool = false) -> HTML {
        .slot(.offer(item.id), button(item, isLarge: isLarge))
    }

    private func button(_ item: StorefrontItem, isLarge: Bool) -> HTML {
        guard let price = item.price else { return .nothing }
        if let obstacle = item.obstacle {
            return isLarge ? .element("p", class: "note", obstacle.sentence) : .nothing
        }
        let amount = StorefrontFormatting.price(price, in: item.storefront)
        let isFree = price.thousandths == 0
        let words = isFree ? "Get" : isLarge ? "Buy for \(amount)" : amount
        return .element(
            "a",
            [
                .init("class", isLarge ? "offer large" : "offer"),
                .init("href", frame.path("buy/\(item.id)")), .init("rel", "nofollow"),
            ],
            [.text(words), .element("span", class: "unseen", [.text(": "), title(item)])])
    }

    private func title(_ item: StorefrontItem) -> HTML { .foreign(item.text.title) }

    /// What stands in the slot for a customer who has it.
    ///
    /// - Parameter hasDownload: whether it has a file; the page behind the button says otherwise what
    ///   there is to do.
    func owned(_ id: ItemID, isLarge: Bool, hasDownload: Bool = true) -> HTML {
        .element(
            "a",
            [
                .init("class", isLarge ? "offer large owned" : "offer owned"),
                .init("href", frame.path(hasDownload ? "downloads/\(id)" : "buy/\(id)")),
                .init("rel", "nofollow"),
            ], hasDownload ? frame.texts.downloadItem : "Yours")
    }
}
