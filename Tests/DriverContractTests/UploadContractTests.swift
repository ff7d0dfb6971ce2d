import Foundation
import StoreCore
import StoreModel
import Testing

@Suite(.usesDrivers) struct UploadContractTests {
    private static let file = ContentDigest(String(repeating: "f", count: 64))!
    private static let part = ContentDigest(String(repeating: "a", count: 64))!

    private func draft(_ shop: SeededShop, size: Int64 = 25) -> UploadDraft {
        UploadDraft(
            id: UploadID(UUID()), bundleID: shop.app.bundleID,
            subject: .product(SeededShop.chapter),
            fileName: "chapter.pkg", size: size, digest: Self.file)
    }

    private func begun(_ draft: UploadDraft, _ shop: SeededShop) -> PackageUpload {
        PackageUpload(draft, of: shop.app, partSize: 10, at: SeededShop.date)
    }

    private func date(_ seconds: TimeInterval) -> Date {
        SeededShop.date.addingTimeInterval(seconds)
    }

    @Test(arguments: StoreDriver.all)
    func `an upload comes back as it was begun, with the parts that arrived`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let draft = draft(shop)
        try await database.write { repositories in
            let uploads = repositories.uploads
            try uploads.insert(begun(draft, shop))
            #expect(try uploads.promisedBytes() == 50)
            for number in [2, 0] {
                try uploads.record(part: number, digest: Self.part, of: draft.id, at: date(5))
            }
            #expect(try uploads.promisedBytes() == 30)
            try uploads.record(part: 0, digest: Self.file, of: draft.id, at: date(6))
            try uploads.deleteParts([2, 7], of: draft.id, at: date(7))
            let upload = try #require(try uploads.upload(draft.id))
            #expect(upload.subject == .product(SeededShop.chapter))
            #expect(upload.bundleID == shop.app.bundleID)
            #expect(upload.team == shop.app.teamID)
            #expect(upload.parts == UploadParts(size: 25, partSize: 10))
            #expect(upload.state == .awaitingUpload)
            #expect((upload.created, upload.changed) == (SeededShop.date, date(7)))
            #expect(try uploads.parts(of: draft.id) == [0: Self.file])
            #expect(try uploads.openCount(of: shop.app.teamID) == 1)
            #expect(try uploads.openCount(of: shop.app.teamID + 1) == 0)
            try uploads.delete(draft.id)
            #expect(try uploads.upload(draft.id) == nil)
            #expect(try uploads.ids().isEmpty)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `the same file for the same product is begun once, and processed alone`(
        driver: StoreDriver
    ) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let (first, second) = (draft(shop), draft(shop))
        try await database.write {
            try $0.uploads.insert(begun(first, shop))
        }
        await #expect(throws: (any Error).self) {
            try await database.write {
                try $0.uploads.insert(begun(second, shop))
            }
        }
        try await database.write { repositories in
            let uploads = repositories.uploads
            try uploads.close(first.id, earlierState: .rejected, at: SeededShop.date)
            try uploads.insert(begun(second, shop))
            #expect(try uploads.upload(first.id)?.earlierState == .rejected)
            #expect(try uploads.promisedBytes() == 100)
            #expect(try uploads.isProcessing(.product(SeededShop.chapter), in: shop.app.id))
        }
        await #expect(throws: (any Error).self) {
            try await database.write {
                try $0.uploads.close(second.id, earlierState: .rejected, at: SeededShop.date)
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a lease is one holder's until it ends`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let draft = draft(shop)
        try await database.write { repositories in
            let uploads = repositories.uploads
            try uploads.insert(begun(draft, shop))
            #expect(try uploads.waiting(at: date(0)) == nil)
            try uploads.close(draft.id, earlierState: .approved, at: date(1))
            #expect(try uploads.waiting(at: date(1))?.id == draft.id)
            try uploads.lease(draft.id, to: "one", until: date(10))
            #expect(try uploads.waiting(at: date(9)) == nil)
            #expect(try uploads.isLeased(draft.id, to: "one"))
            #expect(try !uploads.renew(draft.id, by: "two", until: date(99), processed: 7))
            #expect(try uploads.renew(draft.id, by: "one", until: date(20), processed: 7))
            #expect(try uploads.upload(draft.id)?.processed == 7)
            #expect(try uploads.waiting(at: date(19)) == nil)
            #expect(try uploads.waiting(at: date(20))?.attempts == 1)
            // No lease is as long: the clock was ahead when it was given.
            try uploads.lease(draft.id, to: "two", until: date(20 + 86_400))
            #expect(try uploads.waiting(at: date(20))?.attempts == 2)
            try uploads.lease(draft.id, to: "two", until: date(30))
            #expect(try !uploads.isLeased(draft.id, to: "one"))
            #expect(try !uploads.renew(draft.id, by: "one", until: date(99), processed: 9))
            let problem = ContentProblem(path: "p", rule: "r", advice: "a")
            try uploads.fail(draft.id, problems: [problem, problem], at: date(25))
            #expect(try uploads.problems(of: draft.id) == [problem, problem])
            #expect(try uploads.waiting(at: date(99)) == nil)
            #expect(try uploads.ids(in: [.failed], unchangedSince: date(24)).isEmpty)
            #expect(try uploads.ids(in: [.failed], unchangedSince: date(25)) == [draft.id])
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a key has its team's issuer, and stays revoked`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let issuers = (IssuerID(UUID().uuidString)!, IssuerID(UUID().uuidString)!)
        @Sendable func draft(_ id: String, team: Int64?) -> APIKeyDraft {
            APIKeyDraft(
                id: APIKeyID(id)!, team: team, role: .developer, name: "key", publicKey: "PEM")
        }
        try await database.write { repositories in
            let keys = repositories.apiKeys
            #expect(try keys.issuer(of: nil) == nil)
            let operators = try keys.insert(
                draft("AAAAAAAAAA", team: nil), newIssuer: issuers.0, at: date(1))
            let teams = try keys.insert(
                draft("BBBBBBBBBB", team: shop.app.teamID), newIssuer: issuers.1, at: date(2))
            #expect((operators.team, teams.team) == (nil, shop.app.teamID))
            #expect((operators.issuer, teams.issuer) == issuers)
            #expect(try keys.keys() == [operators, teams])
            let second = try keys.insert(
                draft("CCCCCCCCCC", team: nil), newIssuer: IssuerID(UUID().uuidString)!,
                at: date(2))
            #expect(second.issuer == issuers.0, "the operator has one already")
            try keys.revoke(teams.id, at: date(3))
            #expect(try keys.find(teams.id)?.revoked == date(3))
        }
        await #expect(throws: (any Error).self, "revoked twice") {
            try await database.write {
                try $0.apiKeys.revoke(APIKeyID("BBBBBBBBBB")!, at: date(4))
            }
        }
        await #expect(throws: (any Error).self, "a second issuer of the operator") {
            try await database.write {
                try $0.apiKeys.insert(IssuerID(UUID().uuidString)!, of: nil)
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what was on sale can't lose its hosting`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let chapter = SeededShop.chapter
        try await database.write { repositories in
            try repositories.catalog.setHosting(true, of: chapter, in: shop.app.id)
            try repositories.catalog.setState(.rejected, of: chapter, in: shop.app.id)
            let product = try repositories.catalog.product(chapter, in: shop.app.id)
            #expect(product?.hostsContent == true)
            #expect(product?.wasOnSale == true)
        }
        await #expect(throws: (any Error).self) {
            try await database.write {
                try $0.catalog.setHosting(false, of: chapter, in: shop.app.id)
            }
        }
        await #expect(throws: (any Error).self) {
            try await database.write {
                try $0.catalog.setHosting(
                    true, of: SeededShop.product(of: .consumable), in: shop.app.id)
            }
        }
    }
}
