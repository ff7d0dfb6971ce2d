import StoreDatabase
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
        let filters: [SQL?] = [
            team.map { "AND team = \($0)" }, item.map { "AND item = \($0)" },
            rating.map { "AND rating = \($0)" },
            environment.map { "AND environment = \($0)" },
        ]
        var found: [CustomerReview] = []
        var total = 0
        // A statement for each state, so that the few that wait are found by an index.
        for state in states {
            let condition: SQL = "WHERE state = \(state) \(filters)"
            found += try connection.all(
                CustomerReview.self,
                """
                \(condition) AND id < \(before) ORDER BY id DESC LIMIT \(request.limit + 1)
                """)
            total +=
                try connection.value(Int.self, "SELECT count(*) FROM customer_review \(condition)")
                ?? 0
        }
        found.sort { $0.id > $1.id }
        let shown = Array(found.prefix(request.limit))
        let next = found.count > shown.count ? shown.last?.id.description : nil
        return ListPage(items: shown, total: total, next: next)
    }
}
