import StoreModel

/// A result of the store's lookup, as far as apps show it. Each kind of item has names of its
/// own for the same.
struct StoreItemAnswer: Decodable, Sendable, Hashable {
    private let trackId: Int64?
    private let collectionId: Int64?
    private let trackName: String?
    private let collectionName: String?
    private let artistName: String?
    private let sellerName: String?
    private let trackViewUrl: String?
    private let collectionViewUrl: String?
    private let formattedPrice: String?
    private let price: Double?
    private let trackPrice: Double?
    private let collectionPrice: Double?
    private let currency: String?
    private let averageUserRating: Double?
    private let userRatingCount: Int?
    private let description: String?
    private let longDescription: String?

    /// Its number in the store.
    var identifier: Int64? { trackId ?? collectionId }
    var title: String? { trackName ?? collectionName }
    var seller: String { sellerName ?? artistName ?? "" }
    var summary: String { longDescription ?? description ?? "" }

    /// Stars, where there are some that can be.
    var rating: (stars: Double, count: Int)? {
        guard let stars = averageUserRating, (1...5).contains(stars),
            let count = userRatingCount, count > 0
        else { return nil }
        return (stars, count)
    }

    /// The address of the page; nil where there is none of the web.
    var url: URL? {
        guard let text = trackViewUrl ?? collectionViewUrl, let page = URL(string: text),
            page.scheme == "https" || page.scheme == "http", page.host?.isEmpty == false
        else { return nil }
        return page
    }

    /// The price as people of a storefront write it; nil where it is not sold by itself.
    func price(in storefront: StoreModel.Storefront) -> String? {
        if let formattedPrice { return formattedPrice }
        guard let amount = price ?? trackPrice ?? collectionPrice, let currency,
            PriceLocale.isCurrency(currency), (0..<1e12).contains(amount)
        else { return nil }
        return Money(thousandths: Int64(clamping: (amount * 1000).rounded()), currency: currency)
            .formatted(locale: storefront.locale)
    }
}
