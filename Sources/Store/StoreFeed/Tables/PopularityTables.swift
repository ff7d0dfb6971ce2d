import StoreCore
import StoreModel

/// The feed `popularity`: for each storefront and genre, the most popular apps with their
/// ranks. Whole in incremental exports as well: a rank means something among the others only.
struct PopularityTables {
    /// As many of each storefront and genre.
    static let limit: Int32 = 200

    /// All, free, paid, free for tablets, paid for tablets.
    let files: [FeedTableFile]
    private let storefronts = Storefront.all.map { (storefront: $0, id: Int64($0.identifier)) }
    private let genreIndex = Dictionary(
        uniqueKeysWithValues: Genre.all.enumerated().map { ($1.id, $0) })
    /// How many ranks are given, by list, storefront and genre.
    private var given: [Int32]
    /// The items that were written. An item whose rank falls during an export is read twice.
    private var written: Set<ItemID> = []

    init(_ folder: FeedTableFolder) throws {
        files = try ["", "free_", "paid_", "free_ipad_", "paid_ipad_"].map { name in
            let table = FeedTable.popularity("\(name)application_popularity_per_genre")
            return try folder.file(table, isWhole: true)
        }
        given = [Int32](repeating: 0, count: files.count * storefronts.count * Genre.all.count)
    }

    /// Writes an app; each has to come in the order of its popularity.
    mutating func write(_ item: FeedItem) throws {
        guard written.insert(item.id).inserted else { return }
        let genres = Self.genres(item.details.genres)
        let devices = FeedNumbers.deviceTypes(
            of: item.details.facts.supportedDevices, kind: item.kind)
        for (index, (storefront, id)) in storefronts.enumerated() {
            guard let price = item.details.prices.price(in: storefront) else { continue }
            let isFree = price.thousandths == 0
            var lists = [0, isFree ? 1 : 2]
            if devices.contains(2) { lists.append(isFree ? 3 : 4) }
            for list in lists {
                for genre in genres {
                    guard let place = genreIndex[genre] else { continue }
                    let cell = (list * storefronts.count + index) * Genre.all.count + place
                    guard given[cell] < Self.limit else { continue }
                    given[cell] += 1
                    let rank = given[cell]
                    try files[list].write { row in
                        row.add(id)
                        row.add(genre)
                        row.add(item.id.number)
                        row.add(Int64(rank))
                    }
                }
            }
        }
    }

    /// The genres, and those above them.
    private static func genres(_ numbers: [Int]) -> [Int] {
        var found: [Int] = []
        for number in numbers {
            var genre = Genre.numbered(number)
            while let current = genre {
                if !found.contains(current.id) { found.append(current.id) }
                genre = current.parent.flatMap(Genre.numbered)
            }
        }
        return found
    }
}
