import FoundationNetworking
import StoreModel

/// The way through what a store gives page by page, which comes to an end whatever it answers.
struct PageWalk {
    /// So many transactions are taken on one way. No customer has as many.
    static let limit = 50_000

    /// What the next page begins after; nil for the first.
    private(set) var after: TransactionID?
    private var taken: Set<TransactionID> = []

    /// Takes a page.
    ///
    /// - Parameters:
    ///   - page: the transactions on it.
    ///   - next: what the store says that the next page begins after; nil where there is none.
    /// - Returns: whether there is a next page.
    /// - Throws: `URLError.badServerResponse` where a page that is not the last has brought nothing
    ///   new or does not lead on, or where there are too many.
    mutating func take(_ page: [TransactionID], next: TransactionID?) throws -> Bool {
        let before = taken.count
        taken.formUnion(page)
        guard let next else { return false }
        guard taken.count > before, after.map({ $0 < next }) ?? true else {
            throw Self.damaged(
                "The store goes on with pages of transactions that bring nothing new.")
        }
        guard taken.count <= Self.limit else {
            throw Self.damaged("The store has more than \(Self.limit) transactions to give.")
        }
        after = next
        return true
    }

    private static func damaged(_ sentence: String) -> URLError {
        URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
}
