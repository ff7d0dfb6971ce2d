import Foundation
import StoreModel

/// A family as those who are in it see it.
package struct Household: Sendable, Hashable {
    package let organizer: Account
    /// Without the organizer, in the order in which they came.
    package let members: [Account]

    package var everybody: [Account] { [organizer] + members }

    /// Whether somebody may take somebody out: oneself, and by the organizer everybody.
    package func mayRemove(_ member: AccountID, by account: AccountID) -> Bool {
        member == account || organizer.id == account
    }
}

/// Something that the family shares, as one of it reads it.
package struct SharedPurchase: Sendable, Hashable {
    package let title: String
    package let appName: String
}

/// What goes when somebody leaves a family.
package struct FamilyDeparture: Sendable, Hashable {
    package let member: Account
    /// Whether the family ends with it.
    package let endsFamily: Bool
    /// What they have through the family now, and will not have; empty where the family ends.
    package let lost: [SharedPurchase]
    /// What the others have through them; where the family ends, all that anybody has through it.
    package let taken: [SharedPurchase]
}

extension FamilyService {
    /// The family that an account is in; nil where it shares with nobody.
    package func household(of account: AccountID) async throws -> Household? {
        try await shop.read { try Self.household(of: account, $0) }
    }

    /// What goes when somebody leaves, or is taken out by the organizer.
    ///
    /// - Throws: `FamilyRefusal.notInFamily` where that is not the account's to decide, too.
    package func departure(
        of member: AccountID, by account: Account
    ) async throws -> FamilyDeparture {
        try await shop.read { work in
            let (household, leaving) = try Self.removable(member, by: account, work)
            let endsFamily = household.organizer.id == leaving.id
            var reader = OrderReader(account, work)
            func titles(_ shares: [LedgerEntry]) throws -> [SharedPurchase] {
                var seen: Set<SharedPurchase> = []
                return try shares.map { share in
                    SharedPurchase(
                        title: try reader.title(
                            of: share.details.productID, in: share.details.app),
                        appName: try reader.appName(share.details.app))
                }.filter { seen.insert($0).inserted }
            }
            let families = work.families
            let taken =
                endsFamily
                ? try household.everybody.flatMap {
                    try families.sharesReceived(by: $0.id, at: work.now)
                }
                : try families.sharesGiven(by: leaving.id, at: work.now)
            return FamilyDeparture(
                member: leaving, endsFamily: endsFamily,
                lost: endsFamily
                    ? [] : try titles(families.sharesReceived(by: leaving.id, at: work.now)),
                taken: try titles(taken))
        }
    }

    /// Takes somebody out of the family: oneself, or anybody of the family that one organizes.
    ///
    /// - Throws: `FamilyRefusal.notInFamily` where that is not the account's to decide, too.
    package func remove(_ member: AccountID, by account: Account) async throws {
        try await remove { try Self.removable(member, by: account, $0).leaving }
    }

    private static func removable(
        _ member: AccountID, by account: Account, _ repositories: StoreRepositories
    ) throws -> (household: Household, leaving: Account) {
        guard let household = try household(of: account.id, repositories),
            household.mayRemove(member, by: account.id),
            let leaving = household.everybody.first(where: { $0.id == member })
        else { throw FamilyRefusal.notInFamily(account.email) }
        return (household, leaving)
    }

    private static func household(
        of account: AccountID, _ repositories: StoreRepositories
    ) throws -> Household? {
        guard let family = try repositories.families.family(of: account),
            let organizer = try repositories.accounts.account(family.organizer)
        else { return nil }
        let members = try family.members.compactMap { try repositories.accounts.account($0) }
        return members.isEmpty ? nil : Household(organizer: organizer, members: members)
    }
}
