import StoreCore
import StoreModel

/// The feed `pricing`: a row for each item and storefront that sells it.
struct PricingTables: FeedTables {
    static let needsMedia = false
    private let application: FeedTableFile
    private let collection: FeedTableFile
    private let song: FeedTableFile
    private let video: FeedTableFile
    private let storefronts = Storefront.all.map { (storefront: $0, id: Int64($0.identifier)) }

    init(_ folder: FeedTableFolder) throws {
        application = try folder.file(.applicationPrice)
        collection = try folder.file(.collectionPrice)
        song = try folder.file(.songPrice)
        video = try folder.file(.videoPrice)
    }

    var hasArtists: Bool { false }
    var files: [FeedTableFile] { [application, collection, song, video] }

    func write(_ item: FeedItem) throws {
        let prices = item.details.prices
        let date = item.details.releaseDate
        let place = FeedTableGroup(item.kind)
        for (storefront, id) in storefronts {
            guard let price = prices.price(in: storefront) else { continue }
            switch place {
            case .application:
                try application.write { Self.price(item.id, price, id, $0) }
            case .collection:
                try collection.write { row in
                    Self.price(item.id, price, id, row)
                    row.add(date)
                    row.addNothing(2)
                }
            case .song:
                try song.write { row in
                    Self.price(item.id, price, id, row)
                    row.add(date)
                }
            case .video:
                let rental = item.details.rentalPrices?.price(in: storefront)
                try video.write { row in
                    Self.price(item.id, price, id, row)
                    row.add(date)
                    row.add(price)
                    row.addNothing(2)
                    row.add(rental)
                    row.addNothing(2)
                }
            }
        }
    }

    private static func price(
        _ item: ItemID, _ price: Money, _ storefront: Int64?, _ row: FeedTableFile
    ) {
        row.add(item.number)
        row.add(price)
        row.add(price.currency)
        row.add(storefront)
    }
}
