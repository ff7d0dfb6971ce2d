/// What the ledger says about sales.
package protocol SalesRepository {
    /// Adds up sales and refunds in the database.
    ///
    /// A unit counts on the day that it was written, a refund on the day that it was given, and below
    /// zero on the day that it was reversed: the figures of a day that is over stay. Repeated and restored purchases count nowhere, and
    /// neither does what came through a family, given or taken.
    ///
    /// - Parameters:
    ///   - team: whose apps; nil for all.
    ///   - add: gets one row for each key and price, ordered by key.
    func read(_ query: SalesQuery, of team: Int64?, _ add: (SalesRow) throws -> Void) throws
}
