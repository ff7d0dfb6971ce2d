import StoreDatabase
import StoreModel

/// Which items customers of a storefront see, as conditions of statements.
struct ShownItemQuery {
    let storefront: Storefront
    var includesExplicit = true
    var isForTablets = false
    /// The number of a `Genre`; nil for all.
    var genre: Int?

    /// As the storefronts of an item stand in its row.
    private var mark: String { ":\(storefront.code):" }

    /// Of rows of the table `item i`.
    var ofItem: SQL {
        let isMild: SQL? = includesExplicit ? nil : "AND i.explicitness <> 'explicit'"
        let isForTablets: SQL? =
            isForTablets ? "AND i.search_row & \(SearchRow.tablet) <> 0" : nil
        return """
            (i.storefronts IS NULL OR instr(i.storefronts, \(mark)) > 0)
                \(isMild) \(isForTablets) \(isInGenre("i.id"))
            """
    }

    /// Of rows of the search's tables.
    ///
    /// - Parameters:
    ///   - row: the column with the number of a `SearchRow`, with its table's name: the subqueries have
    ///     columns of the same name.
    ///   - kinds: all for none.
    func ofSearch(_ row: SQL, kinds: Set<ItemKind>) -> SQL {
        let isOfKinds: SQL? =
            kinds.isEmpty
            ? nil
            : "AND \(SearchRow.mask(kinds)) >> CAST(\(row) & \(SearchRow.kind) AS INT) & 1 = 1"
        let isMild: SQL? = includesExplicit ? nil : "AND \(row) & \(SearchRow.explicit) = 0"
        let isForTablets: SQL? = isForTablets ? "AND \(row) & \(SearchRow.tablet) <> 0" : nil
        let item: SQL = "\(row) >> 7 & 1099511627775"
        return """
            (\(row) & \(SearchRow.limited) = 0 OR EXISTS (
                SELECT 1 FROM item sold
                WHERE sold.id = \(item) AND instr(sold.storefronts, \(mark)) > 0))
                \(isOfKinds) \(isMild) \(isForTablets) \(isInGenre(item))
            """
    }

    private func isInGenre(_ item: SQL) -> SQL? {
        genre.map { genre in
            "AND EXISTS (SELECT 1 FROM item_genre own WHERE own.genre = \(genre) AND own.item = \(item))"
        }
    }
}

extension ItemQuery {
    var shown: ShownItemQuery {
        ShownItemQuery(
            storefront: storefront, includesExplicit: includesExplicit, isForTablets: isForTablets,
            genre: genre)
    }
}
