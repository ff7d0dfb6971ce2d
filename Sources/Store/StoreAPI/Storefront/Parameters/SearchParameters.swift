import StoreCore
import StoreModel

/// What a search asks for, checked.
struct SearchParameters: Hashable, Sendable {
    /// Nil where there is nothing to look for.
    var term: String?
    var storefront: Storefront
    /// Nil for the storefront's own.
    var locale: String?
    var entities: [SearchEntity]
    /// The kinds of the items to find.
    var kinds: Set<ItemKind>
    var attribute: SearchAttribute?
    var includesExplicit: Bool
    var genre: Int?
    var order: ItemOrder
    var offset: Int
    var limit: Int

    /// Longer terms are refused, in characters.
    static let longestTerm = 500
    /// Nobody turns so many pages; behind it there is nothing.
    static let largestOffset = 5_000

    /// - Throws: `ParameterRefusal`.
    init(_ query: QueryParameters, country: String? = nil) throws {
        try query.checkVersion()
        try query.checkOutput()
        storefront = try query.storefront(path: country)
        locale = try query.locale()
        let medium = try query.medium()
        let named = try query.entities(of: medium)
        entities = named ?? [medium.entities[0]]
        attribute = try Self.attribute(query, of: medium, with: named ?? [])
        kinds = Self.kinds(of: medium, entities, attribute, isNamed: named != nil)
        includesExplicit = try Self.includesExplicit(query)
        genre = try Self.genre(query)
        order = try query.order()
        limit = try query.limit()
        offset = 0
        if let text = query["offset"] {
            guard QueryParameters.isDigits(text) else { throw ParameterRefusal(key: "offset") }
            offset = Int(text) ?? .max
        }
        term = query["term"]
        if let term, term.count > Self.longestTerm || term.utf8.count > 4 * Self.longestTerm {
            throw ParameterRefusal(key: "term")
        }
    }

    /// Whether something can be found at all.
    var hasMeaning: Bool {
        term != nil && !kinds.isEmpty && offset <= Self.largestOffset
            && (attribute == nil || attribute?.place != nil)
    }

    var givesArtists: Bool { entities.contains { $0.givesArtists } }

    /// Whether items are found beside, or instead of, those who made them.
    var givesItems: Bool { entities.contains { !$0.givesArtists } }

    /// What the store is to look for.
    func query(in environment: StoreEnvironment) -> ItemQuery {
        let isForTablets = entities.allSatisfy { $0 == .iPadSoftware }
        return ItemQuery(
            term: term ?? "", kinds: kinds, attribute: attribute?.place, storefront: storefront,
            includesExplicit: includesExplicit, genre: genre, isForTablets: isForTablets,
            order: order, offset: offset, limit: limit, environment: environment)
    }

    private static func attribute(
        _ query: QueryParameters, of medium: SearchMedium, with entities: [SearchEntity]
    ) throws -> SearchAttribute? {
        guard let text = query["attribute"] else { return nil }
        guard let attribute = SearchAttribute(rawValue: text),
            medium.takes(attribute, with: entities)
        else { throw ParameterRefusal(key: "attributeType") }
        return attribute
    }

    /// The kinds of the entities, less those of which the attribute does not speak. Films without
    /// an entity, but with the attribute of short films, are short films.
    private static func kinds(
        of medium: SearchMedium, _ entities: [SearchEntity], _ attribute: SearchAttribute?,
        isNamed: Bool
    ) -> Set<ItemKind> {
        let all = entities.reduce(into: Set<ItemKind>()) { $0.formUnion($1.kinds) }
        guard let meant = attribute?.kinds else { return all }
        let narrowed = all.intersection(meant)
        if !narrowed.isEmpty { return narrowed }
        // A medium without an entity is a word for its usual kind: only films have another one.
        guard !isNamed, medium == .movie else { return all }
        let others = medium.kinds.intersection(meant)
        return others.isEmpty ? all : others
    }

    private static func includesExplicit(_ query: QueryParameters) throws -> Bool {
        switch query["explicit"]?.lowercased() {
        case nil, "yes": return true
        case "no": return false
        default: throw ParameterRefusal(key: "explicitType")
        }
    }

    /// - Returns: the number of a genre, which may be one that there is not.
    static func genre(_ query: QueryParameters) throws -> Int? {
        guard let text = query["genreId"] else { return nil }
        guard QueryParameters.isDigits(text), let number = Int(text) else {
            throw ParameterRefusal(key: "genreId")
        }
        return number
    }
}
