import Foundation
import StoreDatabase
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

    package var everybody: [AccountID] { [organizer] + members }
}

/// A row of the table `family`, which lacks the members.
struct FamilyRow: Sendable {
    let id: Int64
    let organizer: AccountID
    let environment: StoreEnvironment
}

extension FamilyRow: Record {
    static let table: StaticString = "family"

    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        organizer = try column("organizer", \.organizer)
        environment = try column("environment", \.environment)
    }
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
