import Foundation
import StoreModel
import Testing

@testable import StoreCore

/// What every driver promises about submissions and what is decided.
@Suite(.usesDrivers) struct SubmissionContractTests {
    private static let publisher = ReviewParty(key: "person 1", name: "ada@example.com")
    private static let reviewer = ReviewParty(key: "person 2", name: "rita@example.com")
    private static let version = AppVersionID("11111111-2222-3333-4444-555555555555")!

    private static let snapshot = ProductSnapshot(
        type: "Non-Consumable", referenceName: "name", isFamilyShareable: false,
        texts: ["en_US": .init(title: "Title", description: "")], prices: ["USA": "tier 1"],
        availability: "everywhere", reviewNote: "", screenshot: nil, contentVersion: "1.0",
        contentManifest: nil)

    private static func item(
        _ id: ProductID = SeededShop.chapter, of app: AppID, _ repositories: StoreRepositories
    ) throws -> SubmissionItemDraft {
        SubmissionItemDraft(
            subject: .product(id), product: try repositories.products.number(of: id, in: app),
            name: id.text, content: ContentVersion("1.0"), revision: 2, snapshot: snapshot)
    }

    private static let versionItem = SubmissionItemDraft(
        subject: .version(version), name: "Version 1.0")

    /// Submits a product and a version of the app.
    private func submitted(
        in database: any ShopDatabase, _ shop: SeededShop
    ) async throws -> Submission {
        let made = try await database.write { repositories -> Submission in
            let id = try repositories.submissions.insert(
                [Self.versionItem, Self.item(of: shop.app.id, repositories)], of: shop.app,
                by: Self.publisher,
                at: SeededShop.date)
            return try #require(try repositories.submissions.submission(id))
        }
        try #require(made.items.count == 2)
        return made
    }

    @Test(arguments: StoreDriver.all)
    func `a submission is read as it was written`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let made = try await submitted(in: database, shop)
        #expect(made.state == .waitingForReview)
        #expect(made.app == shop.app.id)
        #expect(made.team == shop.app.teamID)
        #expect(made.bundleID == shop.app.bundleID)
        #expect(made.submitter == Self.publisher)
        #expect(made.claimant == nil)
        #expect(made.created == SeededShop.date)
        #expect(made.version == Self.version)
        #expect(made.products.count == 1)
        try #require(made.items.map(\.content) == [nil, ContentVersion("1.0")])
        #expect(made.items.map(\.revision) == [nil, 2])
        #expect(made.items.map(\.state) == [.waitingForReview, .waitingForReview])
        try await database.read { (repositories: StoreRepositories) throws -> Void in
            let submissions = repositories.submissions
            #expect(try submissions.submission(with: made.items[1].id) == made)
            #expect(
                try submissions.openItem(of: SeededShop.chapter, in: shop.app.id) == made.items[1])
            #expect(try submissions.openItem(of: Self.version) == made.items[0])
            #expect(try submissions.snapshot(of: made.items[1].id) == Self.snapshot)
            #expect(try submissions.snapshot(of: made.items[0].id) == nil)
            #expect(try submissions.submission(SubmissionID(number: 99)) == nil)
            #expect(try submissions.openItem(of: SeededShop.chapter, in: shop.otherApp.id) == nil)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `what is decided is kept with who decided it`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let made = try await submitted(in: database, shop)
        let later = SeededShop.date.addingTimeInterval(60)
        let decided = try await database.write { repositories -> Submission in
            let submissions = repositories.submissions
            try submissions.update(made.moved(to: .inReview, by: Self.reviewer, at: later))
            try submissions.update(
                made.items[0].decided(.rejected, message: "No.", by: Self.reviewer, at: later))
            try submissions.update(made.items[1].decided(.approved, by: Self.reviewer, at: later))
            try submissions.update(made.moved(to: .complete, by: Self.reviewer, at: later))
            return try #require(try submissions.submission(made.id))
        }
        try #require(decided.items.count == 2)
        #expect(decided.state == .complete)
        #expect(decided.claimant == Self.reviewer)
        #expect(decided.changed == later)
        #expect(decided.items.map(\.message) == ["No.", nil])
        #expect(decided.items.map(\.decided) == [later, later])
        try await database.read { (repositories: StoreRepositories) throws -> Void in
            let submissions = repositories.submissions
            #expect(try submissions.openItem(of: SeededShop.chapter, in: shop.app.id) == nil)
            #expect(
                try submissions.items(of: SeededShop.chapter, in: shop.app.id, limit: 9)
                    == [decided.items[1]])
            #expect(try submissions.items(of: Self.version, limit: 9) == [decided.items[0]])
            #expect(
                try submissions.approvedSnapshot(
                    of: SeededShop.chapter, in: shop.app.id, before: nil) == Self.snapshot)
            #expect(
                try submissions.approvedSnapshot(
                    of: SeededShop.chapter, in: shop.app.id, before: made.items[1].id) == nil)
            let queue = try submissions.queue(PageRequest(limit: 9))
            #expect(queue.items.isEmpty)
        }
    }

    /// What the schema refuses, whatever the rules above it do.
    static let violations:
        [(name: String, change: @Sendable (StoreRepositories, Submission) throws -> Void)] = [
            (
                "a product is submitted twice",
                { repositories, made in
                    _ = try repositories.submissions.insert(
                        [item(of: made.app, repositories)],
                        of: #require(try repositories.catalog.app(made.app)),
                        by: publisher, at: SeededShop.date)
                }
            ),
            (
                "a version is submitted twice",
                { repositories, made in
                    _ = try repositories.submissions.insert(
                        [versionItem], of: #require(try repositories.catalog.app(made.app)),
                        by: publisher, at: SeededShop.date)
                }
            ),
            (
                "a product that there isn't",
                { repositories, made in
                    _ = try repositories.submissions.insert(
                        [item(ProductID("nothing")!, of: made.app, repositories)],
                        of: #require(try repositories.catalog.app(made.app)), by: publisher,
                        at: SeededShop.date)
                }
            ),
            (
                "a rejection without a message",
                { repositories, made in
                    try repositories.submissions.update(
                        made.items[1].decided(.rejected, by: reviewer))
                }
            ),
            (
                "a decision by nobody",
                { repositories, made in
                    try repositories.submissions.update(made.items[1].decided(.approved, by: nil))
                }
            ),
            (
                "a review by nobody",
                { repositories, made in
                    try repositories.submissions.update(made.moved(to: .inReview, by: nil))
                }
            ),
            (
                "a decision that is taken back",
                { repositories, made in
                    for state in [SubmissionItemState.approved, .inReview] {
                        try repositories.submissions.update(
                            made.items[1].decided(state, by: state == .approved ? reviewer : nil))
                    }
                }
            ),
            (
                "an end that is taken back",
                { repositories, made in
                    for state in [SubmissionState.withdrawn, .waitingForReview] {
                        try repositories.submissions.update(made.moved(to: state, by: nil))
                    }
                }
            ),
            (
                "a product that is taken down without a reason",
                { repositories, made in
                    let number = try #require(
                        try repositories.products.number(of: SeededShop.chapter, in: made.app))
                    try repositories.submissions.insert(
                        SaleChange(
                            step: .takeDown, before: .approved, after: .removedFromSale, reason: "",
                            actor: reviewer, date: SeededShop.date), of: number)
                }
            ),
        ]

    @Test(arguments: StoreDriver.all)
    func `the schema refuses what can't be`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let made = try await submitted(in: database, shop)
        for (name, change) in Self.violations {
            await #expect(throws: (any Error).self, "\(name)") {
                try await database.write { try change($0, made) }
            }
        }
        let after = try await database.read { try $0.submissions.submission(made.id) }
        #expect(after == made)
    }

    @Test(arguments: StoreDriver.all)
    func `lists have pages`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        let types: [ProductType] = [.consumable, .nonConsumable, .nonRenewingSubscription]
        let ids = try await database.write { repositories in
            try types.map { type in
                try repositories.submissions.insert(
                    [Self.item(SeededShop.product(of: type), of: shop.app.id, repositories)],
                    of: shop.app,
                    by: Self.publisher, at: SeededShop.date)
            }
        }
        try await database.read { (repositories: StoreRepositories) throws -> Void in
            let submissions = repositories.submissions
            let first = try submissions.queue(PageRequest(limit: 2))
            #expect(first.items.map(\.id) == [ids[0], ids[1]])
            #expect(first.total == 3)
            let next = try submissions.queue(PageRequest(limit: 2, cursor: first.next))
            #expect(next.items.map(\.id) == [ids[2]])
            #expect(next.next == nil)
            func list(team: Int64?, _ app: AppID?, _ states: [SubmissionState]) throws
                -> [SubmissionID]
            {
                try submissions.submissions(
                    team: team, app: app, states: states, PageRequest(limit: 9)
                ).items.map(\.id)
            }
            let all = SubmissionState.allCases
            #expect(try list(team: nil, nil, all) == ids.reversed())
            #expect(try list(team: shop.app.teamID, shop.app.id, all) == ids.reversed())
            #expect(try list(team: shop.app.teamID + 1, nil, all) == [])
            #expect(try list(team: nil, shop.otherApp.id, all) == [])
            #expect(try list(team: nil, nil, [.complete, .withdrawn]) == [])
            #expect(throws: ConnectRefusal.self) {
                _ = try submissions.queue(PageRequest(limit: 2, cursor: "x"))
            }
        }
    }

    @Test(arguments: StoreDriver.all)
    func `changes of sale are kept in their order`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        let shop = try await SeededShop(in: database)
        func change(_ step: ProductStep, _ before: ProductState, _ after: ProductState)
            -> SaleChange
        {
            SaleChange(
                step: step, before: before, after: after,
                reason: step == .takeDown ? "A complaint." : "", actor: Self.reviewer,
                date: SeededShop.date)
        }
        let changes = [
            change(.removeFromSale, .approved, .developerRemovedFromSale),
            change(.takeDown, .developerRemovedFromSale, .removedFromSale),
            change(.reinstate, .removedFromSale, .developerRemovedFromSale),
        ]
        let found = try await database.write { repositories in
            let number = try #require(
                try repositories.products.number(of: SeededShop.chapter, in: shop.app.id))
            for change in changes { try repositories.submissions.insert(change, of: number) }
            return try repositories.submissions.saleChanges(
                of: SeededShop.chapter, in: shop.app.id, limit: 2)
        }
        #expect(found == [changes[2], changes[1]])
    }
}

extension Submission {
    fileprivate func moved(
        to state: SubmissionState, by claimant: ReviewParty?, at date: Date = SeededShop.date
    ) -> Submission {
        var moved = self
        (moved.state, moved.claimant, moved.changed) = (state, claimant, date)
        return moved
    }
}

extension SubmissionItem {
    /// - Parameter decider: `nil` for nobody.
    fileprivate func decided(
        _ state: SubmissionItemState, message: String? = nil, by decider: ReviewParty?,
        at date: Date = SeededShop.date
    ) -> SubmissionItem {
        var decided = self
        (decided.state, decided.message, decided.decider) = (state, message, decider)
        decided.decided = decider.map { _ in date }
        return decided
    }
}
