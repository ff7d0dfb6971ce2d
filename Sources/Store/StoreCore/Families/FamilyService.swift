import Foundation
import StoreModel

/// Families: who is in one, and what that gives and takes.
package struct FamilyService: Sendable {
    let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    /// Takes an account into the family that another one organizes; a family of one begins with it.
    /// Both get what the family has that can be shared.
    ///
    /// - Throws: `FamilyRefusal`.
    @discardableResult
    package func add(
        _ email: String, toFamilyOf organizer: String, in environment: StoreEnvironment
    ) async throws -> Family {
        try await shop.write { work in
            let families = work.families
            let head = try Self.account(organizer, environment, work)
            let member = try Self.account(email, environment, work)
            guard head.id != member.id, try families.family(of: member.id) == nil else {
                throw FamilyRefusal.inFamily(member.email)
            }
            if let other = try families.family(of: head.id), other.organizer != head.id {
                throw FamilyRefusal.inFamily(head.email)
            }
            let family = try families.family(organizedBy: head.id, in: environment, at: work.now)
            guard family.everybody.count < Family.sizeLimit else {
                throw FamilyRefusal.full(head.email)
            }
            try families.add(member.id, to: family, at: work.now)
            for other in family.everybody {
                for entry in try Self.shareable(of: other, work) {
                    try work.share(entry, with: member.id)
                }
                for entry in try Self.shareable(of: member.id, work) {
                    try work.share(entry, with: other)
                }
            }
            return try families.family(of: head.id) ?? family
        }
    }

    /// Takes an account out of its family: it loses what it got there, and the others what they
    /// got from it. With the organizer the family ends.
    ///
    /// - Throws: `FamilyRefusal`.
    package func remove(_ email: String, in environment: StoreEnvironment) async throws {
        try await remove { try Self.account(email, environment, $0) }
    }

    /// As `remove`, where the same transaction finds out who it is.
    func remove(_ find: @escaping @Sendable (StoreRepositories) throws -> Account) async throws {
        try await shop.write { work in
            let leaving = try find(work)
            guard let family = try work.families.family(of: leaving.id) else {
                throw FamilyRefusal.notInFamily(leaving.email)
            }
            let gone = family.organizer == leaving.id ? family.members : [leaving.id]
            for member in gone {
                let families = work.families
                let shares =
                    try families.sharesReceived(by: member, at: work.now)
                    + families.sharesGiven(by: member, at: work.now)
                for share in shares { try work.endSharing(of: share) }
                try families.remove(member)
            }
        }
    }

    /// All families, with the addresses of who is in them, the organizer first.
    package func families() async throws -> [(family: Family, people: [String])] {
        try await shop.read { work in
            try work.families.families().map { family in
                (
                    family,
                    try family.everybody.compactMap {
                        try work.accounts.account($0)?.email
                    }
                )
            }
        }
    }

    private static func shareable(
        of account: AccountID, _ repositories: StoreRepositories
    ) throws -> [LedgerEntry] {
        try repositories.families.purchases(of: account).filter { entry in
            let product = try repositories.catalog.product(
                entry.details.productID, in: entry.details.app)
            return product?.details.isFamilyShareable ?? false
        }
    }

    private static func account(
        _ email: String, _ environment: StoreEnvironment, _ repositories: StoreRepositories
    ) throws -> Account {
        let account = try repositories.accounts.account(email: email.lowercased(), in: environment)
        guard let account else { throw FamilyRefusal.unknown(email, environment) }
        return account
    }
}
