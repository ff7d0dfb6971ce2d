import Foundation
import StoreModel

/// Purchase keys that the rules have refused an order under, one row for each.
package protocol RefusedPurchaseRepository {
    func purchase(key: String, account: AccountID, app: AppID) throws -> RefusedPurchase?
    /// Keeps a refusal. The schema refuses a second one under the same key, and from then on
    /// anything in the ledger under it.
    func insert(_ refused: RefusedPurchase) throws
    /// Deletes refusals from before a date.
    func deleteRefusals(before date: Date) throws
}
