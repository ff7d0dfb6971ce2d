import Foundation
import StoreModel

/// Sandbox testers, and what their publishers do to them.
package protocol TesterRepository {
    /// A tester of any standing.
    func tester(_ account: AccountID) throws -> Tester?
    /// Testers that are not deleted, the first made first.
    ///
    /// - Parameters:
    ///   - team: whose; nil for all.
    ///   - text: gives those with it in the address or a name only; empty gives all.
    ///   - includesConverted: whether those come too that became real accounts.
    func testers(
        of team: Int64?, matching text: String, includesConverted: Bool, _ page: PageRequest
    ) throws -> ListPage<Tester>
    /// Makes a sandbox account a tester of a team.
    func insert(_ profile: TesterProfile, of account: AccountID, at date: Date) throws
    func setRenewalRate(_ rate: SubscriptionRenewalRate, of account: AccountID) throws
    /// Where any account of the sandbox is in its life.
    func standing(of account: AccountID) throws -> TesterStanding
    /// Records that an account of the sandbox was converted or deleted. The schema refuses the
    /// same a second time.
    func record(_ ending: TesterStanding, of account: AccountID, at date: Date) throws
    /// Records that apps see nothing any more of what an account of the sandbox has bought
    /// until now, and that it has none of the items that it got.
    func recordClearing(of account: AccountID, at date: Date) throws

    /// Whether apps see nothing any more of what an account bought with a transaction.
    func isCleared(_ transaction: TransactionID, of account: AccountID) throws -> Bool

    /// The last transaction of an account of which apps see nothing any more; nil for none.
    func lastCleared(of account: AccountID) throws -> TransactionID?

    /// A payment that was declined under a key.
    func declinedPayment(key: String, account: AccountID, app: AppID) throws -> DeclinedPayment?
    func insert(_ payment: DeclinedPayment) throws
    /// Declined payments of a tester in the apps of a team, the newest first.
    func declinedPayments(
        of account: AccountID, team: Int64, limit: Int
    ) throws -> [DeclinedPayment]
    /// Purchases of a tester in the apps of a team, without restores, the newest first.
    func purchases(
        of account: AccountID, team: Int64, _ page: PageRequest
    ) throws -> ListPage<TesterPurchase>
    /// What a tester wanted to buy in the apps of a team and nobody has decided, oldest first.
    func undecided(of account: AccountID, team: Int64, limit: Int) throws -> [PendingPurchase]
}
