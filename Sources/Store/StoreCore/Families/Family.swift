import Foundation
import StoreModel

/// Accounts that share what one of them buys, as far as its publisher lets them.
package struct Family: Sendable, Hashable {
    /// As many people are in one, the organizer included.
    package static let sizeLimit = 6

    package let id: Int64
    package let organizer: AccountID
    package let environment: StoreEnvironment
    /// Without the organizer, in the order in which they came.
    package let members: [AccountID]

    package init(
        id: Int64, organizer: AccountID, environment: StoreEnvironment, members: [AccountID]
    ) {
        self.id = id
        self.organizer = organizer
        self.environment = environment
        self.members = members
    }

    package var everybody: [AccountID] { [organizer] + members }
}

/// Why somebody can't join or leave a family.
package enum FamilyRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case unknown(String, StoreEnvironment)
    case inFamily(String)
    case notInFamily(String)
    case full(String)

    package var description: String {
        switch self {
        case .unknown(let email, let environment):
            AccountRefusal.unknown(email, environment).description
        case .inFamily(let email): "\(email) is in a family already; take them out of it first."
        case .notInFamily(let email):
            "\(email) is in no family. openstore family add takes an account into one."
        case .full(let organizer):
            "The family of \(organizer) has \(Family.sizeLimit) people, which is as many as one "
                + "can have."
        }
    }
}

/// Families, and what came to accounts through them.
package protocol FamilyRepository {
    /// The family that an account organizes or is in.
    func family(of account: AccountID) throws -> Family?
    /// The family that an account organizes, made where there is none.
    func family(
        organizedBy account: AccountID, in environment: StoreEnvironment, at date: Date
    ) throws -> Family
    func add(_ account: AccountID, to family: Family, at date: Date) throws
    /// Takes a member out; a family without members is none any longer.
    func remove(_ account: AccountID) throws
    func families() throws -> [Family]
    /// What accounts got of a purchase, and have still.
    func shares(of purchase: TransactionID) throws -> [LedgerEntry]
    /// How often an account got a purchase, whether it has it still or not.
    func shareCount(of purchase: TransactionID, with account: AccountID) throws -> Int
    /// The first period that an account got of a subscription, whether it has it still or not,
    /// without what was cleared.
    func firstShare(
        ofSubscription original: TransactionID, with account: AccountID
    ) throws -> LedgerEntry?
    /// What an account got through its family, and has at a date.
    func sharesReceived(by account: AccountID, at date: Date) throws -> [LedgerEntry]
    /// What others got of an account, and have at a date.
    func sharesGiven(by account: AccountID, at date: Date) throws -> [LedgerEntry]
    /// First purchases and running periods of an account, in all apps, that it has still.
    func purchases(of account: AccountID) throws -> [LedgerEntry]
    /// The last period of each subscription that an account got through its family in an app,
    /// whether it has it still or not, without what was cleared.
    func sharedSubscriptions(of subject: HistorySubject) throws -> [TransactionRecord]
    func recordShare(_ id: TransactionID, of purchase: TransactionID) throws
    /// Whether the account got the transaction through its family.
    func isShared(_ id: TransactionID) throws -> Bool
}
