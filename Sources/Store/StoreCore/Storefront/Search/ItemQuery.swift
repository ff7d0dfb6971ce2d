import StoreModel

/// What a customer searches for.
package struct ItemQuery: Sendable, Hashable {
    /// As it was typed.
    package var term: String
    package var kinds: Set<ItemKind>
    /// Where the words have to stand; nil for anywhere.
    package var attribute: ItemAttribute?
    package var storefront: Storefront
    package var includesExplicit: Bool
    /// The number of a `Genre`; nil for all.
    package var genre: Int?
    /// Apps for tablets only.
    package var isForTablets: Bool
    package var order: ItemOrder
    package var offset: Int
    package var limit: Int
    /// Whose customers' stars count where stars are searched for.
    package var environment: StoreEnvironment

    package init(
        term: String, kinds: Set<ItemKind>, attribute: ItemAttribute? = nil,
        storefront: Storefront, includesExplicit: Bool = true, genre: Int? = nil,
        isForTablets: Bool = false, order: ItemOrder = .popular, offset: Int = 0,
        limit: Int = 50, environment: StoreEnvironment = .production
    ) {
        self.term = term
        self.kinds = kinds
        self.attribute = attribute
        self.storefront = storefront
        self.includesExplicit = includesExplicit
        self.genre = genre
        self.isForTablets = isForTablets
        self.order = order
        self.offset = offset
        self.limit = limit
        self.environment = environment
    }
}

/// The part of an item in which a search looks: what the attributes of the search API mean.
package enum ItemAttribute: String, Sendable, Hashable, CaseIterable {
    /// The item's own title.
    case title
    /// Who made it.
    case artist
    /// The album or season that it belongs to, or its own title where it is one.
    case collection
    case description
    case keywords
    case composer
    case director
    case producer
    case actor
    /// The name of a genre, in English.
    case genre
    /// The year in which it came out.
    case releaseYear
    /// `4+`, `PG-13` and the like.
    case advisoryRating
    /// Names or codes of languages.
    case language
    /// Stars.
    case rating
}
