/// What the ledger says about sales.
package protocol SalesRepository {
    /// Adds up sales and refunds in the database.
    ///
    /// A unit counts on the day of its purchase, a refund on the day that it was taken back.
    /// Repeated and restored purchases count nowhere.
    ///
    /// - Parameters:
    ///   - team: whose apps; nil for all.
    ///   - add: gets one row for each key and price, ordered by key.
    func read(_ query: SalesQuery, of team: Int64?, _ add: (SalesRow) throws -> Void) throws
}
