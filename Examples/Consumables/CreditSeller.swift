/// A shop for credits. There are two of them, which do the same with the two interfaces of StoreKit:
/// `CreditShop` with the original one, `CreditStore` with StoreKit 2.
protocol CreditSeller: AnyObject {
    /// How many credits the customer has.
    var credits: Int { get }
    /// What is sold, the cheapest first.
    var packs: [Pack] { get }
    var onMessage: (String) -> Void { get set }
    /// While a payment is under way.
    var onBusy: () -> Void { get set }
    /// When the customer can choose: it is known what is for sale, and no payment is under way.
    var onIdle: () -> Void { get set }

    /// To be called at launch: from here on the shop hears of payments, also of those that an
    /// earlier run has left behind.
    func open()
    /// Buys one of the packs.
    func buy(_ pack: Pack)
    func spend()
}

/// Credits as the customer sees them.
struct Pack {
    /// How many credits a product is.
    static let credits = [
        "com.example.bookshop.credits5": 5, "com.example.bookshop.credits10": 10,
    ]

    let id: String
    let title: String
    let description: String
    /// As the customer's storefront writes it.
    let price: String
}
