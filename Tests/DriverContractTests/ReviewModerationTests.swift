import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Reviews that are held, and what moderators and publishers do to reviews.
@Suite(.usesDrivers) struct ReviewModerationTests {
    private static let draft = ReviewDraft(
        rating: 4, title: "Fine", body: "Good.", nickname: "Ada")
    private static let reviewer = ItemSaleFixture.reviewer

    private func written(
        _ body: String, _ fixture: ItemSaleFixture, rating: Int = 4
    ) async throws -> CustomerReview {
        var draft = Self.draft
        draft.body = body
        draft.rating = rating
        return try await fixture.reviews.write(draft, on: fixture.book, by: fixture.ada)
    }

    @Test(arguments: StoreDriver.all)
    func `a held word holds, and taking it out publishes`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(
            driver, settings: StorefrontSettings(heldWords: ["scam"]))
        try await fixture.buy(fixture.book, by: fixture.ada)
        let held = try await written("A SCÄM!", fixture)
        #expect(held.state == .held)
        #expect(held.holdReason?.contains("scam") == true)
        #expect(try await fixture.reviews.summary(of: fixture.book).total == 0)
        let published = try await written("Good.", fixture)
        #expect(published.state == .published)
        #expect(published.holdReason == nil)
        #expect(try await written("See example.com", fixture).state == .held)
        #expect(try await fixture.reviews.summary(of: fixture.book).total == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `where all are held, a published text stays published as it is`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(
            driver, settings: StorefrontSettings(holdsReviews: true))
        try await fixture.buy(fixture.book, by: fixture.ada)
        let held = try await written("Good.", fixture)
        #expect(held.state == .held)
        _ = try await fixture.reviews.decide(
            held.id, publish: true, reason: "", by: Self.reviewer)
        #expect(try await written("Good.", fixture, rating: 5).state == .published)
        #expect(try await fixture.reviews.summary(of: fixture.book).counts == [0, 0, 0, 0, 1])
        #expect(try await written("Better.", fixture).state == .held)
    }

    @Test(arguments: StoreDriver.all)
    func `what was rejected is looked at again, also after removing it`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        let review = try await written("Good.", fixture)
        let rejected = try await fixture.reviews.decide(
            review.id, publish: false, reason: "Spam", by: Self.reviewer)
        #expect(rejected.state == .rejected)
        #expect(rejected.holdReason == "Spam")
        #expect(try await written("Very good.", fixture).state == .held)
        #expect(try await written("Very, very good.", fixture).state == .held)
        try await fixture.reviews.remove(on: fixture.book, by: fixture.ada)
        let again = try await written("Good.", fixture)
        #expect(again.state == .held)
        #expect(again.holdReason == HoldRules.rejectedBefore)
        _ = try await fixture.reviews.decide(
            again.id, publish: true, reason: "", by: Self.reviewer)
        #expect(try await written("Good again.", fixture).state == .published)
        #expect(
            try await fixture.log().map { "\($0.action) \($0.before ?? "") \($0.after ?? "")" } == [
                "customerReview.reject PUBLISHED Spam",
                "customerReview.publish HELD PUBLISHED",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `moderators see all of them, publishers what is published of theirs`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        var reviews: [CustomerReview] = []
        for (number, (item, body)) in [
            (fixture.book, "Good."), (fixture.otherBook, "Good."),
            (fixture.book, "See example.com"),
            (fixture.song, "Good."),
        ].enumerated() {
            let account = try await fixture.customer(number, with: item)
            var draft = Self.draft
            draft.body = body
            draft.rating = number + 1
            reviews.append(try await fixture.reviews.write(draft, on: item, by: account))
        }
        let all = PageRequest(limit: 10)
        let support = fixture.member(.customerSupport)
        func ids(_ page: ListPage<CustomerReview>) -> [Int] {
            page.items.compactMap { reviews.firstIndex(of: $0) }
        }
        let service = fixture.reviews
        #expect(ids(try await service.page(all, by: Self.reviewer)) == [3, 2, 1, 0])
        #expect(ids(try await service.page(states: [.held], all, by: Self.reviewer)) == [2])
        #expect(ids(try await service.page(all, by: support)) == [3, 0])
        #expect(ids(try await service.page(states: [.held], all, by: support)) == [])
        #expect(ids(try await service.page(item: fixture.book, all, by: support)) == [0])
        #expect(ids(try await service.page(item: fixture.otherBook, all, by: support)) == [])
        #expect(ids(try await service.page(rating: 4, all, by: Self.reviewer)) == [3])
        #expect(
            ids(try await service.page(environment: .sandbox, all, by: Self.reviewer)) == [])
        let first = try await service.page(PageRequest(limit: 3), by: Self.reviewer)
        #expect(ids(first) == [3, 2, 1])
        #expect(first.total == 4)
        let second = try await service.page(
            PageRequest(limit: 3, cursor: first.next), by: Self.reviewer)
        #expect(ids(second) == [0])
        #expect(second.next == nil)
        #expect(try await service.review(reviews[2].id, by: Self.reviewer) == reviews[2])
        let hidden = try await refusal(ConnectRefusal.self) {
            _ = try await service.review(reviews[2].id, by: support)
        }
        #expect(hidden?.kind == .notFound)
    }

    @Test(arguments: StoreDriver.all)
    func `the publisher answers, changes and takes back the answer`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        let review = try await written("Good.", fixture)
        let support = fixture.member(.customerSupport)
        let answered = try await fixture.reviews.respond(
            to: review.id, text: " Thank you.\nAda ", by: support)
        #expect(answered.response == "Thank you.\nAda")
        #expect(answered.responseDate == fixture.clock.now())
        // It stays when the customer writes something else.
        #expect(try await written("Better.", fixture).response == "Thank you.\nAda")
        _ = try await fixture.reviews.respond(to: review.id, text: "Thanks.", by: support)
        let taken = try await fixture.reviews.respond(to: review.id, text: nil, by: support)
        #expect(taken.response == nil)
        #expect(taken.responseDate == nil)
        #expect(
            try await fixture.log().map(\.action) == [
                "customerReview.respond", "customerReview.respond",
                "customerReview.removeResponse",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `wrong decisions and answers change nothing`(driver: StoreDriver) async throws {
        let fixture = try await ItemSaleFixture(driver)
        try await fixture.buy(fixture.book, by: fixture.ada)
        let review = try await written("Good.", fixture)
        let held = try await fixture.customer(1, with: fixture.book)
        var draft = Self.draft
        draft.body = "www.example"
        let hidden = try await fixture.reviews.write(draft, on: fixture.book, by: held)
        let service = fixture.reviews
        let support = fixture.member(.customerSupport)
        let long = String(repeating: "x", count: 6001)
        let steps: [(String, @Sendable () async throws -> CustomerReview)] = [
            (
                "role",
                { try await service.decide(review.id, publish: true, reason: "", by: support) }
            ),
            (
                "textMissing",
                {
                    try await service.decide(
                        review.id, publish: false, reason: " ", by: Self.reviewer)
                }
            ),
            (
                "notFound",
                {
                    try await service.decide(
                        ReviewID(number: 999), publish: true, reason: "", by: Self.reviewer)
                }
            ),
            ("role", { try await service.respond(to: review.id, text: "x", by: Self.reviewer) }),
            (
                "role",
                {
                    try await service.respond(
                        to: review.id, text: "x", by: fixture.member(.developer))
                }
            ),
            (
                "notFound",
                { try await service.respond(to: review.id, text: "x", by: fixture.stranger) }
            ),
            ("notFound", { try await service.respond(to: hidden.id, text: "x", by: support) }),
            ("textMissing", { try await service.respond(to: review.id, text: "", by: support) }),
            ("textLength", { try await service.respond(to: review.id, text: long, by: support) }),
            (
                "textCharacters",
                { try await service.respond(to: review.id, text: "a\u{0}", by: support) }
            ),
        ]
        for (index, (rule, step)) in steps.enumerated() {
            let refused = try await refusal(ConnectRefusal.self) { _ = try await step() }
            #expect(refused?.rule == rule, "step \(index)")
        }
        #expect(try await fixture.log().isEmpty)
        #expect(try await service.own(on: fixture.book, by: fixture.ada) == review)
        #expect(try await service.own(on: fixture.book, by: held) == hidden)
    }
}
