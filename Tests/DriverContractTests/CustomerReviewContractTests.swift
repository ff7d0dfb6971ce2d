import Foundation
import StoreDatabase
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore

/// Reviews of customers, and the counts that go with them.
@Suite(.usesDrivers) struct CustomerReviewContractTests {
    private static let draft = ReviewDraft(
        rating: 4, title: "Fine", body: "Read it in a day.", nickname: "Ada")

    @Test(arguments: StoreDriver.all)
    func `a buyer writes one review, and changes it`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        let first = try await fixture.reviews.write(Self.draft, on: fixture.book, by: fixture.ada)
        #expect(
            first
                == CustomerReview(
                    id: first.id, item: fixture.book, account: fixture.ada.id, nickname: "Ada",
                    storefront: .unitedStates, rating: 4, title: "Fine",
                    body: "Read it in a day.", version: nil, state: .published,
                    created: fixture.clock.now(), changed: fixture.clock.now(),
                    environment: .production))
        #expect(try await fixture.reviews.own(on: fixture.book, by: fixture.ada) == first)
        fixture.clock.advance(by: 60)
        var draft = Self.draft
        draft.rating = 2
        draft.body = "I read it again."
        let second = try await fixture.reviews.write(draft, on: fixture.book, by: fixture.ada)
        #expect(second.id == first.id)
        #expect(second.created == first.created)
        #expect(second.changed == fixture.clock.now())
        #expect(try await fixture.reviews.own(on: fixture.book, by: fixture.ada) == second)
        #expect(try await fixture.reviews.summary(of: fixture.book).counts == [0, 1, 0, 0, 0])
        let page = try await fixture.reviews.reviews(
            of: fixture.book, in: nil, by: .mostRecent, page: 1, size: 10)
        #expect(page == ReviewPage(reviews: [second], total: 1))

        try await fixture.reviews.remove(on: fixture.book, by: fixture.ada)
        try await fixture.reviews.remove(on: fixture.book, by: fixture.ada)
        #expect(try await fixture.reviews.own(on: fixture.book, by: fixture.ada) == nil)
        #expect(try await fixture.reviews.summary(of: fixture.book).total == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `only who got it may review it, then or now`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        func rule(_ item: ItemID, _ account: Account) async throws -> String? {
            try await refusal(ReviewRefusal.self) {
                _ = try await fixture.reviews.write(Self.draft, on: item, by: account)
            }?.rule
        }
        #expect(try await rule(fixture.book, fixture.ada) == "notBought")
        #expect(try await rule(ItemID(number: 999), fixture.ada) == "itemUnknown")
        #expect(try await !fixture.reviews.canReview(fixture.book, by: fixture.ada))
        // A song is no album.
        try await fixture.buy(fixture.song, by: fixture.ada)
        #expect(try await rule(fixture.album, fixture.ada) == "notBought")
        // An album has its songs.
        let album = try await fixture.buy(fixture.album, by: fixture.grace)
        #expect(try await fixture.reviews.canReview(fixture.song, by: fixture.grace))
        try await fixture.sales.refund(album.id, by: .machine)
        for item in [fixture.song, fixture.album] {
            _ = try await fixture.reviews.write(Self.draft, on: item, by: fixture.grace)
        }
        // Testers have their team's apps, and nothing else of it.
        _ = try await fixture.reviews.write(Self.draft, on: fixture.app, by: fixture.tester)
        #expect(try await rule(fixture.book, fixture.tester) == "notBought")
        // Whoever bought something in the app has it.
        #expect(try await rule(fixture.app, fixture.shop.ada) == "notBought")
        let purchase = fixture.shop.purchase(1)
        try await fixture.database.write { _ = try $0.ledger.insert(purchase) }
        let review = try await fixture.reviews.write(
            Self.draft, on: fixture.app, by: fixture.shop.ada)
        #expect(review.version == "1.0")
    }

    @Test(arguments: StoreDriver.all)
    func `what is written in the sandbox is seen and counted there only`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        try await fixture.buy(fixture.book, by: fixture.tester)
        let real = try await fixture.reviews.write(Self.draft, on: fixture.book, by: fixture.ada)
        var draft = Self.draft
        draft.rating = 1
        let test = try await fixture.reviews.write(draft, on: fixture.book, by: fixture.tester)
        for (environment, review, counts) in [
            (StoreEnvironment.production, real, [0, 0, 0, 1, 0]),
            (.sandbox, test, [1, 0, 0, 0, 0]),
        ] {
            let page = try await fixture.reviews.reviews(
                of: fixture.book, in: .unitedStates, by: .mostHelpful, page: 1, size: 10,
                environment: environment)
            #expect(page == ReviewPage(reviews: [review], total: 1))
            let summary = try await fixture.reviews.summary(
                of: fixture.book, environment: environment)
            #expect(summary.counts == counts)
        }
        let vote = try await refusal(ReviewRefusal.self) {
            try await fixture.reviews.vote(true, on: real.id, by: fixture.tester)
        }
        #expect(vote == .reviewUnknown)
    }

    @Test(arguments: StoreDriver.all)
    func `lists are in their order, page by page`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        let japan = try #require(Storefront.named("JPN"))
        var random = SeededRandom(seed: 7)
        var all: [CustomerReview] = []
        for number in 0..<23 {
            fixture.clock.advance(by: TimeInterval(random.below(3)))
            let account = try await fixture.customer(
                number, with: fixture.book, storefront: number % 3 == 0 ? japan : .unitedStates)
            var draft = Self.draft
            draft.rating = 1 + random.below(5)
            // Stars alone stand in no list.
            if number % 5 == 4 { draft = ReviewDraft(rating: draft.rating) }
            let review = try await fixture.reviews.write(draft, on: fixture.book, by: account)
            for voter in [fixture.ada, fixture.grace] where random.chance(50) {
                try await fixture.reviews.vote(random.chance(50), on: review.id, by: voter)
            }
            let own = try await fixture.reviews.own(on: fixture.book, by: account)
            all.append(try #require(own))
        }
        for order in ReviewOrder.allCases {
            for storefront in [nil, japan] {
                try await Self.check(fixture, all, storefront, order)
            }
        }
    }

    private static func check(
        _ fixture: ItemSaleFixture, _ all: [CustomerReview], _ storefront: Storefront?,
        _ order: ReviewOrder
    ) async throws {
        let expected =
            all.filter { $0.hasText && (storefront == nil || $0.storefront == storefront) }
            .sorted { stands($0, before: $1, by: order) }
        var found: [CustomerReview] = []
        for page in 1...6 {
            let part = try await fixture.reviews.reviews(
                of: fixture.book, in: storefront, by: order, page: page, size: 5)
            #expect(part.total == expected.count)
            found += part.reviews
        }
        #expect(found == expected, "\(order), \(storefront?.code ?? "all")")
    }

    private static func stands(
        _ left: CustomerReview, before right: CustomerReview, by order: ReviewOrder
    ) -> Bool {
        func key(_ review: CustomerReview) -> (Int, Date, ReviewID) {
            let first =
                switch order {
                case .mostHelpful: 2 * review.helpfulVotes - review.votes
                case .mostRecent: 0
                case .mostFavorable: review.rating
                case .mostCritical: -review.rating
                }
            return (first, review.changed, review.id)
        }
        return key(left) > key(right)
    }

    @Test(arguments: StoreDriver.all)
    func `sizes and pages from outside are kept within bounds`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        _ = try await fixture.reviews.write(Self.draft, on: fixture.book, by: fixture.ada)
        for (page, size, count) in [
            (Int.min, Int.max, 1), (0, 0, 1), (Int.max, Int.max, 0), (2, 1, 0), (-5, -5, 1),
        ] {
            let found = try await fixture.reviews.reviews(
                of: fixture.book, in: nil, by: .mostRecent, page: page, size: size)
            #expect(found.reviews.count == count)
            #expect(found.total == 1)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `each account has one vote, whose last word counts`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        let review = try await fixture.reviews.write(Self.draft, on: fixture.book, by: fixture.ada)
        func votes() async throws -> [Int] {
            let own = try await fixture.reviews.own(on: fixture.book, by: fixture.ada)
            return [own?.helpfulVotes ?? -1, own?.votes ?? -1]
        }
        try await fixture.reviews.vote(true, on: review.id, by: fixture.grace)
        #expect(try await votes() == [1, 1])
        let before = try await fixture.database.storefrontGeneration()
        try await fixture.reviews.vote(true, on: review.id, by: fixture.grace)
        #expect(try await votes() == [1, 1])
        #expect(try await fixture.database.storefrontGeneration() == before)
        try await fixture.reviews.vote(false, on: review.id, by: fixture.grace)
        #expect(try await votes() == [0, 1])
        #expect(try await fixture.database.storefrontGeneration() > before)
        for (id, account, expected) in [
            (review.id, fixture.ada, ReviewRefusal.ownReview),
            (ReviewID(number: 999), fixture.grace, .reviewUnknown),
        ] {
            let refused = try await refusal(ReviewRefusal.self) {
                try await fixture.reviews.vote(true, on: id, by: account)
            }
            #expect(refused == expected)
        }
        // Nobody sees what is rejected, so nobody votes on it.
        _ = try await fixture.reviews.decide(
            review.id, publish: false, reason: "x", by: ItemSaleFixture.reviewer)
        let hidden = try await refusal(ReviewRefusal.self) {
            try await fixture.reviews.vote(true, on: review.id, by: fixture.grace)
        }
        #expect(hidden == .reviewUnknown)
        #expect(try await votes() == [0, 1])
    }

    @Test(arguments: StoreDriver.all)
    func `a hundred writes at once are one review`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        let ids = try await driver.atOnce(100) { number in
            var draft = Self.draft
            draft.rating = 1 + number % 5
            return try await fixture.reviews.write(draft, on: fixture.book, by: fixture.ada).id
        }
        #expect(Set(ids).count == 1)
        #expect(try await fixture.reviews.summary(of: fixture.book).total == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `a review that would break the schema changes nothing`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        let review = try await fixture.reviews.write(Self.draft, on: fixture.book, by: fixture.ada)
        var wrong = review
        wrong.rating = 6
        let tooMany = wrong
        await #expect(throws: SQLError.self) {
            try await fixture.database.write { try $0.customerReviews.update(tooMany) }
        }
        await #expect(throws: SQLError.self) {
            try await fixture.database.write { _ = try $0.customerReviews.insert(review) }
        }
        #expect(try await fixture.reviews.own(on: fixture.book, by: fixture.ada) == review)
        #expect(try await fixture.reviews.summary(of: fixture.book).total == 1)
    }
}
