import Foundation
import StoreCore
import StoreDatabase
import StoreModel
import StoreTestSupport
import Testing

/// Reviews of customers, and the counts that go with them.
@Suite(.usesDrivers) struct CustomerReviewContractTests {
    private static let draft = ReviewDraft(
        rating: 4, title: "Fine", body: "Read it in a day.", nickname: "Ada")

    @Test(arguments: StoreDriver.all)
    func `a buyer writes one review, and changes it`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        let first = try await scene.reviews.write(Self.draft, on: scene.book, by: scene.ada)
        #expect(
            first
                == CustomerReview(
                    id: first.id, item: scene.book, account: scene.ada.id, nickname: "Ada",
                    storefront: .unitedStates, rating: 4, title: "Fine",
                    body: "Read it in a day.", version: nil, state: .published,
                    created: scene.clock.now(), changed: scene.clock.now()))
        #expect(try await scene.reviews.own(on: scene.book, by: scene.ada) == first)
        scene.clock.advance(by: 60)
        var draft = Self.draft
        draft.rating = 2
        draft.body = "I read it again."
        let second = try await scene.reviews.write(draft, on: scene.book, by: scene.ada)
        #expect(second.id == first.id)
        #expect(second.created == first.created)
        #expect(second.changed == scene.clock.now())
        #expect(try await scene.reviews.own(on: scene.book, by: scene.ada) == second)
        #expect(try await scene.reviews.summary(of: scene.book).counts == [0, 1, 0, 0, 0])
        let page = try await scene.reviews.reviews(
            of: scene.book, in: nil, by: .mostRecent, page: 1, size: 10)
        #expect(page == ReviewPage(reviews: [second], total: 1))

        try await scene.reviews.remove(on: scene.book, by: scene.ada)
        try await scene.reviews.remove(on: scene.book, by: scene.ada)
        #expect(try await scene.reviews.own(on: scene.book, by: scene.ada) == nil)
        #expect(try await scene.reviews.summary(of: scene.book).total == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `only who got it may review it, then or now`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        func rule(_ item: ItemID, _ account: Account) async throws -> String? {
            try await refusal(ReviewRefusal.self) {
                _ = try await scene.reviews.write(Self.draft, on: item, by: account)
            }?.rule
        }
        #expect(try await rule(scene.book, scene.ada) == "notBought")
        #expect(try await rule(ItemID(number: 999), scene.ada) == "itemUnknown")
        #expect(try await !scene.reviews.canReview(scene.book, by: scene.ada))
        // A song is no album.
        try await scene.buy(scene.song, by: scene.ada)
        #expect(try await rule(scene.album, scene.ada) == "notBought")
        // An album has its songs.
        let album = try await scene.buy(scene.album, by: scene.grace)
        #expect(try await scene.reviews.canReview(scene.song, by: scene.grace))
        try await scene.sales.refund(album.id, by: .machine)
        for item in [scene.song, scene.album] {
            _ = try await scene.reviews.write(Self.draft, on: item, by: scene.grace)
        }
        // Testers have their team's apps, and nothing else of it.
        _ = try await scene.reviews.write(Self.draft, on: scene.app, by: scene.tester)
        #expect(try await rule(scene.book, scene.tester) == "notBought")
        // Whoever bought something in the app has it.
        #expect(try await rule(scene.app, scene.shop.ada) == "notBought")
        let purchase = scene.shop.purchase(1)
        try await scene.database.write { _ = try $0.ledger.insert(purchase) }
        let review = try await scene.reviews.write(
            Self.draft, on: scene.app, by: scene.shop.ada)
        #expect(review.version == "1.0")
    }

    @Test(arguments: StoreDriver.all)
    func `what is written in the sandbox is seen and counted there only`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        try await scene.buy(scene.book, by: scene.tester)
        let real = try await scene.reviews.write(Self.draft, on: scene.book, by: scene.ada)
        var draft = Self.draft
        draft.rating = 1
        let test = try await scene.reviews.write(draft, on: scene.book, by: scene.tester)
        for (environment, review, counts) in [
            (StoreEnvironment.production, real, [0, 0, 0, 1, 0]),
            (.sandbox, test, [1, 0, 0, 0, 0]),
        ] {
            let page = try await scene.reviews.reviews(
                of: scene.book, in: .unitedStates, by: .mostHelpful, page: 1, size: 10,
                environment: environment)
            #expect(page == ReviewPage(reviews: [review], total: 1))
            let summary = try await scene.reviews.summary(
                of: scene.book, environment: environment)
            #expect(summary.counts == counts)
        }
        let vote = try await refusal(ReviewRefusal.self) {
            try await scene.reviews.vote(true, on: real.id, by: scene.tester)
        }
        #expect(vote == .reviewUnknown)
    }

    @Test(arguments: StoreDriver.all)
    func `lists are in their order, page by page`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        let japan = try #require(Storefront.named("JPN"))
        var random = SeededRandom(seed: 7)
        var all: [CustomerReview] = []
        for number in 0..<23 {
            scene.clock.advance(by: TimeInterval(random.below(3)))
            let account = try await scene.customer(
                number, with: scene.book, storefront: number % 3 == 0 ? japan : .unitedStates)
            var draft = Self.draft
            draft.rating = 1 + random.below(5)
            // Stars alone stand in no list.
            if number % 5 == 4 { draft = ReviewDraft(rating: draft.rating) }
            let review = try await scene.reviews.write(draft, on: scene.book, by: account)
            for voter in [scene.ada, scene.grace] where random.chance(50) {
                try await scene.reviews.vote(random.chance(50), on: review.id, by: voter)
            }
            let own = try await scene.reviews.own(on: scene.book, by: account)
            all.append(try #require(own))
        }
        for order in ReviewOrder.allCases {
            for storefront in [nil, japan] {
                try await Self.check(scene, all, storefront, order)
            }
        }
    }

    private static func check(
        _ scene: ItemSaleScene, _ all: [CustomerReview], _ storefront: Storefront?,
        _ order: ReviewOrder
    ) async throws {
        let expected =
            all.filter { $0.hasText && (storefront == nil || $0.storefront == storefront) }
            .sorted { stands($0, before: $1, by: order) }
        var found: [CustomerReview] = []
        for page in 1...6 {
            let part = try await scene.reviews.reviews(
                of: scene.book, in: storefront, by: order, page: page, size: 5)
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
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        _ = try await scene.reviews.write(Self.draft, on: scene.book, by: scene.ada)
        for (page, size, count) in [
            (Int.min, Int.max, 1), (0, 0, 1), (Int.max, Int.max, 0), (2, 1, 0), (-5, -5, 1),
        ] {
            let found = try await scene.reviews.reviews(
                of: scene.book, in: nil, by: .mostRecent, page: page, size: size)
            #expect(found.reviews.count == count)
            #expect(found.total == 1)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `each account has one vote, whose last word counts`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        let review = try await scene.reviews.write(Self.draft, on: scene.book, by: scene.ada)
        func votes() async throws -> [Int] {
            let own = try await scene.reviews.own(on: scene.book, by: scene.ada)
            return [own?.helpfulVotes ?? -1, own?.votes ?? -1]
        }
        try await scene.reviews.vote(true, on: review.id, by: scene.grace)
        #expect(try await votes() == [1, 1])
        let before = try await scene.database.storefrontGeneration()
        try await scene.reviews.vote(true, on: review.id, by: scene.grace)
        #expect(try await votes() == [1, 1])
        #expect(try await scene.database.storefrontGeneration() == before)
        try await scene.reviews.vote(false, on: review.id, by: scene.grace)
        #expect(try await votes() == [0, 1])
        #expect(try await scene.database.storefrontGeneration() > before)
        for (id, account, expected) in [
            (review.id, scene.ada, ReviewRefusal.ownReview),
            (ReviewID(number: 999), scene.grace, .reviewUnknown),
        ] {
            let refused = try await refusal(ReviewRefusal.self) {
                try await scene.reviews.vote(true, on: id, by: account)
            }
            #expect(refused == expected)
        }
        // Nobody sees what is rejected, so nobody votes on it.
        _ = try await scene.reviews.decide(
            review.id, publish: false, reason: "x", by: ItemSaleScene.reviewer)
        let hidden = try await refusal(ReviewRefusal.self) {
            try await scene.reviews.vote(true, on: review.id, by: scene.grace)
        }
        #expect(hidden == .reviewUnknown)
        #expect(try await votes() == [0, 1])
    }

    @Test(arguments: StoreDriver.all)
    func `a hundred writes at once are one review`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        let ids = try await driver.atOnce(100) { number in
            var draft = Self.draft
            draft.rating = 1 + number % 5
            return try await scene.reviews.write(draft, on: scene.book, by: scene.ada).id
        }
        #expect(Set(ids).count == 1)
        #expect(try await scene.reviews.summary(of: scene.book).total == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `a review that would break the schema changes nothing`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        let review = try await scene.reviews.write(Self.draft, on: scene.book, by: scene.ada)
        var wrong = review
        wrong.rating = 6
        let tooMany = wrong
        await #expect(throws: SQLError.self) {
            try await scene.database.write { try $0.customerReviews.update(tooMany) }
        }
        await #expect(throws: SQLError.self) {
            try await scene.database.write { _ = try $0.customerReviews.insert(review) }
        }
        #expect(try await scene.reviews.own(on: scene.book, by: scene.ada) == review)
        #expect(try await scene.reviews.summary(of: scene.book).total == 1)
    }
}
