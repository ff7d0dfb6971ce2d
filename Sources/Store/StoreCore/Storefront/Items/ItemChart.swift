import Foundation
import StoreModel

/// A list of the best of a kind.
package struct ItemChart: Sendable, Hashable {
    package enum Rank: String, Sendable, Hashable, CaseIterable {
        case free, paid, new, grossing, all
    }

    package var kinds: Set<ItemKind>
    package var rank: Rank
    /// The number of a `Genre`; nil for all.
    package var genre: Int?
    package var storefront: Storefront
    package var includesExplicit: Bool
    /// Whether only what costs nothing in the storefront is listed, or only what costs something;
    /// nil for what the rank says.
    package var isFree: Bool?
    /// Apps for tablets only.
    package var isForTablets: Bool

    package init(
        kinds: Set<ItemKind>, rank: Rank, genre: Int? = nil, storefront: Storefront,
        includesExplicit: Bool = true, isFree: Bool? = nil, isForTablets: Bool = false
    ) {
        self.kinds = kinds
        self.rank = rank
        self.genre = genre
        self.storefront = storefront
        self.includesExplicit = includesExplicit
        self.isFree =
            switch rank {
            case .free: true
            case .paid: false
            case .new, .grossing, .all: isFree
            }
        self.isForTablets = isForTablets
    }
}
