import Foundation
import StoreModel

/// The number of a row in the search's tables: what is needed to order and to filter it.
///
/// From the highest bits on: 8 for how unpopular it is, 40 for the item's number, 7 for what it
/// is. So the most popular ones come first, and a search never looks at items that it leaves out.
struct SearchRow {
    let number: Int64

    init(
        of id: Int64, kind: ItemKind? = nil, popularity: Int64, isExplicit: Bool = false,
        isLimited: Bool = false, isForTablets: Bool = false
    ) {
        var flags = kind.map(Self.position) ?? 0
        if isExplicit { flags |= Self.explicit }
        if isLimited { flags |= Self.limited }
        if isForTablets { flags |= Self.tablet }
        number = (255 - Self.step(popularity)) << 47 | id << 7 | flags
    }

    init(of item: Item) {
        self.init(
            of: item.id.number, kind: item.details.kind, popularity: item.popularity,
            isExplicit: item.details.explicitness == .explicit,
            isLimited: item.details.prices.shownIn != nil,
            isForTablets: item.details.facts.isForTablets)
    }

    /// The bits of the kind's position.
    static let kind: Int64 = 15
    /// Not sold in each storefront: the item's row says in which.
    static let limited: Int64 = 32
    static let explicit: Int64 = 16
    static let tablet: Int64 = 64

    /// The item of a row.
    static func item(of row: Int64) -> Int64 { row >> 7 & 0xFF_FFFF_FFFF }

    /// Popularity on a scale of 256: four steps each time it doubles, so that rows seldom move.
    static func step(_ popularity: Int64) -> Int64 {
        Int64(4 * log2(Double(max(0, popularity)) + 1))
    }

    static func position(_ kind: ItemKind) -> Int64 {
        Int64(ItemKind.allCases.firstIndex(of: kind) ?? 0)
    }

    /// A bit for each kind; all for none.
    static func mask(_ kinds: Set<ItemKind>) -> Int64 {
        kinds.isEmpty ? 0xFFFF : kinds.reduce(0) { $0 | 1 << position($1) }
    }
}
