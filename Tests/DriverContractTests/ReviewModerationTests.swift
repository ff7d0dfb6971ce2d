import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Reviews that are held, and what moderators and publishers do to reviews.
@Suite(.usesDrivers) struct ReviewModerationTests {
    private static let draft = ReviewDraft(
        rating: 4, title: "Fine", body: "Good.", nickname: "Ada")
    private static let reviewer = ItemSaleScene.reviewer

    private func written(
        _ body: String, _ scene: ItemSaleScene, rating: Int = 4
    ) async throws -> CustomerReview {
        var draft = Self.draft
        draft.body = body
        draft.rating = rating
        return try await scene.reviews.write(draft, on: scene.book, by: scene.ada)
    }

    @Test(arguments: StoreDriver.all)
    func `a held word holds, and taking it out publishes`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(
            driver, settings: StorefrontSettings(heldWords: ["scam"]))
        try await scene.buy(scene.book, by: scene.ada)
        let held = try await written("A SCÄM!", scene)
        #expect(held.state == .held)
        #expect(held.holdReason?.contains("scam") == true)
        #expect(try await scene.reviews.summary(of: scene.book).total == 0)
        let published = try await written("Good.", scene)
        #expect(published.state == .published)
        #expect(published.holdReason == nil)
        #expect(try await written("See example.com", scene).state == .held)
        #expect(try await scene.reviews.summary(of: scene.book).total == 0)
    }

    @Test(arguments: StoreDriver.all)
    func `where all are held, a published text stays published as it is`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(
            driver, settings: StorefrontSettings(holdsReviews: true))
        try await scene.buy(scene.book, by: scene.ada)
        let held = try await written("Good.", scene)
        #expect(held.state == .held)
        _ = try await scene.reviews.decide(
            held.id, publish: true, reason: "", by: Self.reviewer)
        #expect(try await written("Good.", scene, rating: 5).state == .published)
        #expect(try await scene.reviews.summary(of: scene.book).counts == [0, 0, 0, 0, 1])
        #expect(try await written("Better.", scene).state == .held)
    }

    @Test(arguments: StoreDriver.all)
    func `what was rejected is looked at again, also after removing it`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        let review = try await written("Good.", scene)
        let rejected = try await scene.reviews.decide(
            review.id, publish: false, reason: "Spam", by: Self.reviewer)
        #expect(rejected.state == .rejected)
        #expect(rejected.holdReason == "Spam")
        #expect(try await written("Very good.", scene).state == .held)
        #expect(try await written("Very, very good.", scene).state == .held)
        try await scene.reviews.remove(on: scene.book, by: scene.ada)
        let again = try await written("Good.", scene)
        #expect(again.state == .held)
        #expect(again.holdReason == HoldRules.rejectedBefore)
        _ = try await scene.reviews.decide(
            again.id, publish: true, reason: "", by: Self.reviewer)
        #expect(try await written("Good again.", scene).state == .published)
        #expect(
            try await scene.log().map { "\($0.action) \($0.before ?? "") \($0.after ?? "")" } == [
                "customerReview.reject PUBLISHED Spam",
                "customerReview.publish HELD PUBLISHED",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `moderators see all of them, publishers what is published of theirs`(
        driver: StoreDriver
    ) async throws {
        let scene = try await ItemSaleScene(driver)
        var reviews: [CustomerReview] = []
        for (number, (item, body)) in [
            (scene.book, "Good."), (scene.otherBook, "Good."), (scene.book, "See example.com"),
            (scene.song, "Good."),
        ].enumerated() {
            let account = try await scene.customer(number, with: item)
            var draft = Self.draft
            draft.body = body
            draft.rating = number + 1
            reviews.append(try await scene.reviews.write(draft, on: item, by: account))
        }
        let all = PageRequest(limit: 10)
        let support = scene.member(.customerSupport)
        func ids(_ page: ListPage<CustomerReview>) -> [Int] {
            page.items.compactMap { reviews.firstIndex(of: $0) }
        }
        let service = scene.reviews
        #expect(ids(try await service.page(all, by: Self.reviewer)) == [3, 2, 1, 0])
        #expect(ids(try await service.page(states: [.held], all, by: Self.reviewer)) == [2])
        #expect(ids(try await service.page(all, by: support)) == [3, 0])
        #expect(ids(try await service.page(states: [.held], all, by: support)) == [])
        #expect(ids(try await service.page(item: scene.book, all, by: support)) == [0])
        #expect(ids(try await service.page(item: scene.otherBook, all, by: support)) == [])
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
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        let review = try await written("Good.", scene)
        let support = scene.member(.customerSupport)
        let answered = try await scene.reviews.respond(
            to: review.id, text: " Thank you.\nAda ", by: support)
        #expect(answered.response == "Thank you.\nAda")
        #expect(answered.responseDate == scene.clock.now())
        // It stays when the customer writes something else.
        #expect(try await written("Better.", scene).response == "Thank you.\nAda")
        _ = try await scene.reviews.respond(to: review.id, text: "Thanks.", by: support)
        let taken = try await scene.reviews.respond(to: review.id, text: nil, by: support)
        #expect(taken.response == nil)
        #expect(taken.responseDate == nil)
        #expect(
            try await scene.log().map(\.action) == [
                "customerReview.respond", "customerReview.respond",
                "customerReview.removeResponse",
            ])
    }

    @Test(arguments: StoreDriver.all)
    func `wrong decisions and answers change nothing`(driver: StoreDriver) async throws {
        let scene = try await ItemSaleScene(driver)
        try await scene.buy(scene.book, by: scene.ada)
        let review = try await written("Good.", scene)
        let held = try await scene.customer(1, with: scene.book)
        var draft = Self.draft
        draft.body = "www.example"
        let hidden = try await scene.reviews.write(draft, on: scene.book, by: held)
        let service = scene.reviews
        let support = scene.member(.customerSupport)
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
                        to: review.id, text: "x", by: scene.member(.developer))
                }
            ),
            (
                "notFound",
                { try await service.respond(to: review.id, text: "x", by: scene.stranger) }
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
        #expect(try await scene.log().isEmpty)
        #expect(try await service.own(on: scene.book, by: scene.ada) == review)
        #expect(try await service.own(on: scene.book, by: held) == hidden)
    }
}
