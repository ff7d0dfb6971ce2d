import StoreCore
import StoreModel
import StoreTexts

/// What is sold inside of an app.
struct ItemPurchases {
    let purchases: [ItemPageContent.Purchase]
    let storefront: Storefront
    let texts: Texts

    var html: HTML {
        guard !purchases.isEmpty else { return .nothing }
        return .element(
            "section", [.init("class", "purchases")],
            [
                .element("h2", texts.inAppPurchases),
                .element(
                    "ul", class: "plans",
                    purchases.map { purchase in
                        .element(
                            "li", [],
                            [
                                .element("span", class: "name", [.foreign(purchase.title)]),
                                .element(
                                    "span", class: "price",
                                    StorefrontFormatting.price(
                                        purchase.price, in: storefront, texts)),
                            ])
                    }),
            ])
    }
}
