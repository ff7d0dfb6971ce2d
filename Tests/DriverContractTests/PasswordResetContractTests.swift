import Foundation
import StoreDatabase
import StoreModel
import Testing

@testable import StoreCore

/// Links for lost passwords, over every driver.
@Suite(.usesDrivers) struct PasswordResetContractTests {
    private static let date = SeededShop.date
    private static let (first, second) = (
        Data(repeating: 1, count: 32), Data(repeating: 2, count: 32)
    )

    private static func reset(_ owner: PasswordOwner, _ tokenDigest: Data) -> PasswordReset {
        PasswordReset(
            tokenDigest: tokenDigest, owner: owner, created: date,
            end: date.addingTimeInterval(PasswordReset.duration))
    }

    @Test(arguments: StoreDriver.all)
    func `a link is kept by its digest, works once, and makes room for the next`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let person = try await database.write {
            try $0.people.insert(
                PersonDraft(
                    email: "olga@example.com", name: "Olga", passwordHash: "hash",
                    staffRole: .operator), at: Self.date)
        }
        for owner in [PasswordOwner.person(person.id), .account(shop.ada.id)] {
            try await database.write {
                try $0.passwordResets.insert(Self.reset(owner, Self.first))
            }
            let kept = try await database.read {
                try $0.passwordResets.reset(tokenDigest: Self.first)
            }
            #expect(kept == Self.reset(owner, Self.first))
            // The next one of the same password takes its place.
            try await database.write {
                try $0.passwordResets.deleteUnused(of: owner)
                try $0.passwordResets.insert(Self.reset(owner, Self.second))
                try $0.passwordResets.recordUse(of: Self.second, at: Self.date)
            }
            let (gone, used) = try await database.read {
                (
                    try $0.passwordResets.reset(tokenDigest: Self.first),
                    try $0.passwordResets.reset(tokenDigest: Self.second)
                )
            }
            #expect(gone == nil && used?.state(at: Self.date) == .used)
            await #expect {
                try await database.write {
                    try $0.passwordResets.recordUse(of: Self.second, at: Self.date)
                }
            } throws: {
                ($0 as? SQLError)?.code == .constraint
            }
            // A used one is known until its time is over.
            try await database.write {
                try $0.passwordResets.deleteUnused()
                #expect(try $0.passwordResets.reset(tokenDigest: Self.second) != nil)
                try $0.passwordResets.delete(endedBefore: Self.date.addingTimeInterval(7200))
            }
            let after = try await database.read {
                try $0.passwordResets.reset(tokenDigest: Self.second)
            }
            #expect(after == nil)
        }
    }
}
