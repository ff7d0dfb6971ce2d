import StoreModel

/// The lists of moderators and publishers.
extension CustomerReviewRepository {
    /// For moderators (team nil) and publishers, the newest first.
    ///
    /// - Parameter environment: nil for both.
    package func page(
        of team: Int64?, states: Set<CustomerReviewState>, item: ItemID?, rating: Int?,
        environment: StoreEnvironment?, _ request: PageRequest
    ) throws -> ListPage<CustomerReview> {
        let before = try request.key() ?? Int64.max
        var found: [CustomerReview] = []
        var total = 0
        // A statement for each state, so that the few that wait are found by an index.
        for state in states {
            let filter: [SQLValue] = [
                .text(state.rawValue), .integer(team), .integer(item?.number),
                .integer(rating.map(Int64.init)), .text(environment?.rawValue),
            ]
            let place: [SQLValue] = [.integer(before), .integer(request.limit + 1)]
            found += try connection.rows(
                Self.list(isOfTeam: team != nil, isOfItem: item != nil), filter + place, read)
            total +=
                try connection.row(
                    Self.size(isOfTeam: team != nil, isOfItem: item != nil), filter
                ) { Int($0.integer(0)) } ?? 0
        }
        found.sort { $0.id > $1.id }
        let shown = Array(found.prefix(request.limit))
        let next = found.count > shown.count ? shown.last?.id.description : nil
        return ListPage(items: shown, total: total, next: next)
    }

    private static func list(isOfTeam: Bool, isOfItem: Bool) -> StaticString {
        if isOfItem {
            return """
                SELECT * FROM customer_review_entry
                WHERE item = ?3 AND state = ?1 AND (?2 IS NULL OR team = ?2)
                    AND (?4 IS NULL OR rating = ?4) AND (?5 IS NULL OR environment = ?5)
                    AND id < ?6 ORDER BY id DESC LIMIT ?7
                """
        }
        if isOfTeam {
            return """
                SELECT * FROM customer_review_entry
                WHERE team = ?2 AND state = ?1 AND ?3 IS NULL
                    AND (?4 IS NULL OR rating = ?4) AND (?5 IS NULL OR environment = ?5)
                    AND id < ?6 ORDER BY id DESC LIMIT ?7
                """
        }
        return """
            SELECT * FROM customer_review_entry
            WHERE state = ?1 AND ?2 IS NULL AND ?3 IS NULL
                AND (?4 IS NULL OR rating = ?4) AND (?5 IS NULL OR environment = ?5)
                AND id < ?6 ORDER BY id DESC LIMIT ?7
            """
    }

    private static func size(isOfTeam: Bool, isOfItem: Bool) -> StaticString {
        if isOfItem {
            return """
                SELECT count(*) FROM customer_review
                WHERE item = ?3 AND state = ?1 AND (?2 IS NULL OR team = ?2)
                    AND (?4 IS NULL OR rating = ?4) AND (?5 IS NULL OR environment = ?5)
                """
        }
        if isOfTeam {
            return """
                SELECT count(*) FROM customer_review
                WHERE team = ?2 AND state = ?1 AND ?3 IS NULL
                    AND (?4 IS NULL OR rating = ?4) AND (?5 IS NULL OR environment = ?5)
                """
        }
        return """
            SELECT count(*) FROM customer_review
            WHERE state = ?1 AND ?2 IS NULL AND ?3 IS NULL
                AND (?4 IS NULL OR rating = ?4) AND (?5 IS NULL OR environment = ?5)
            """
    }
}
