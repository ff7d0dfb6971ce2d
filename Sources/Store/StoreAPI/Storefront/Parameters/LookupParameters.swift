import StoreCore
import StoreModel

/// What a lookup asks for, checked.
struct LookupParameters: Hashable, Sendable {
    /// By what an item or an artist is found.
    enum Key: Hashable, Sendable {
        /// The number of an item or of an artist.
        case id(Int64)
        case amgArtist(Int64)
        case item(ItemKey)
    }

    /// In the order in which they are answered, each once.
    var keys: [Key]
    var storefront: Storefront
    /// Nil for the storefront's own.
    var locale: String?
    /// What follows each of what was found; empty for nothing.
    var entities: [SearchEntity]
    var order: ItemOrder
    /// How many follow each.
    var limit: Int

    /// How many values one parameter has at most.
    static let mostValues = 200

    /// - Throws: `ParameterRefusal`.
    init(_ query: QueryParameters, country: String? = nil) throws {
        try query.checkVersion()
        try query.checkOutput()
        storefront = try query.storefront(path: country)
        locale = try query.locale()
        entities = try query.entities(of: try query.medium()) ?? []
        order = try query.order()
        limit = try query.limit()
        var found: [Key] = []
        found += try Self.values(query, "id") { ItemID($0).map { .id($0.number) } }
        found += try Self.values(query, "bundleId") { text in
            Self.isBundleID(text) ? .item(.bundleID(text)) : nil
        }
        // Not of Apple's: the app of an in-app purchase, which a lookup by id has no result for.
        found += try Self.values(query, "inAppPurchaseId") {
            Self.number($0).map { .item(.purchase(ProductNumber(number: $0))) }
        }
        found += try Self.values(query, "amgArtistId") { Self.number($0).map(Key.amgArtist) }
        found += try Self.values(query, "amgAlbumId") {
            Self.number($0).map { .item(.amgAlbumID($0)) }
        }
        found += try Self.values(query, "amgVideoId") {
            Self.number($0).map { .item(.amgVideoID($0)) }
        }
        found += try Self.values(query, "upc") { text in
            QueryParameters.isDigits(text) && (8...14).contains(text.utf8.count)
                ? .item(.upc(text)) : nil
        }
        found += try Self.values(query, "isbn") { Self.isbn($0).map { .item(.isbn($0)) } }
        var seen: Set<Key> = []
        keys = found.filter { seen.insert($0).inserted }
    }

    /// The kinds of what follows.
    var kinds: Set<ItemKind> {
        entities.filter { !$0.givesArtists }.reduce(into: []) { $0.formUnion($1.kinds) }
    }

    var givesArtists: Bool { entities.contains { $0.givesArtists } }

    private static func values(
        _ query: QueryParameters, _ name: String, _ read: (String) -> Key?
    ) throws -> [Key] {
        guard let text = query[name] else { return [] }
        let values = text.split(scalar: ",", omittingEmptySubsequences: false)
        guard values.count <= mostValues else { throw ParameterRefusal(key: name) }
        return try values.map { value in
            guard let key = read(value.trimmingSpaces) else { throw ParameterRefusal(key: name) }
            return key
        }
    }

    private static func number(_ text: String) -> Int64? { ItemID(text)?.number }

    /// What could be one: more exact would only turn "not found" into a refusal.
    private static func isBundleID(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    /// Ten or thirteen digits, without the hyphens between them; the last of ten may be an X.
    private static func isbn(_ text: String) -> String? {
        guard text.utf8.count <= 32 else { return nil }
        let digits = text.filter { $0 != "-" }.uppercased()
        let isLong = digits.utf8.count == 13 && QueryParameters.isDigits(digits)
        let isShort =
            digits.utf8.count == 10 && QueryParameters.isDigits(String(digits.dropLast()))
            && (digits.last == "X" || QueryParameters.isDigits(String(digits.suffix(1))))
        return isLong || isShort ? digits : nil
    }
}

extension Substring {
    /// Without the spaces at its ends.
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
