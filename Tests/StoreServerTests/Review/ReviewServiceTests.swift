import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Products on their way through review.
@Suite struct ReviewServiceTests {
    @Test func `a product goes alone, and is sold when it is approved`() async throws {
        let fixture = try await ReviewFixture()
        let submission = try await fixture.submit(ReviewFixture.badge)
        #expect(submission.state == .waitingForReview)
        #expect(submission.items.map(\.name) == [SampleShop.badge])
        #expect(submission.submitter.name == "person1@example.com")
        #expect(try await fixture.state() == .waitingForReview)
        #expect(try await fixture.record().openRevision?.state == .waitingForReview)
        let claimed = try await fixture.claim(submission)
        #expect(claimed.state == .inReview)
        #expect(claimed.claimant == ReviewParty(fixture.reviewer))
        #expect(try await fixture.state() == .inReview)
        #expect(try await !fixture.isSold(ReviewFixture.badge))
        let decided = try await fixture.decide(.approve, in: claimed)
        #expect(decided.state == .complete)
        #expect(decided.items.map(\.state) == [.approved])
        #expect(decided.items.map(\.decider) == [ReviewParty(fixture.reviewer)])
        let record = try await fixture.record()
        #expect(record.state == .approved)
        #expect(record.openRevision == nil)
        #expect(record.revisionOnSale?.texts["en_US"]?.title == "A badge")
        #expect(try await fixture.isSold(ReviewFixture.badge))
    }

    @Test func `products go together, and are decided one by one`() async throws {
        let fixture = try await ReviewFixture()
        let submission = try await fixture.claim(
            fixture.submit(ReviewFixture.badge, ReviewFixture.chapter, ReviewFixture.credits))
        var decided = try await fixture.decide(.approve, ReviewFixture.chapter, in: submission)
        #expect(decided.state == .inReview)
        decided = try await fixture.decide(.reject("No."), ReviewFixture.badge, in: submission)
        decided = try await fixture.decide(
            .askDeveloper("How?"), ReviewFixture.credits, in: submission)
        #expect(decided.state == .complete)
        #expect(decided.items.map(\.state) == [.rejected, .approved, .developerActionNeeded])
        #expect(decided.items.map(\.message) == ["No.", nil, "How?"])
        #expect(try await fixture.state(ReviewFixture.badge) == .rejected)
        #expect(try await fixture.state(ReviewFixture.chapter) == .approved)
        #expect(try await fixture.state(ReviewFixture.credits) == .developerActionNeeded)
    }

    @Test func `the queue has what waits of all teams, the oldest first`() async throws {
        let fixture = try await ReviewFixture()
        let first = try await fixture.submit(ReviewFixture.badge)
        let second = try await fixture.submit(ReviewFixture.chapter)
        let page = try await fixture.reviews.queue(PageRequest(limit: 1), by: fixture.reviewer)
        #expect(page.items.map(\.id) == [first.id])
        #expect(page.total == 2)
        let next = try await fixture.reviews.queue(
            PageRequest(limit: 1, cursor: page.next), by: fixture.reviewer)
        #expect(next.items.map(\.id) == [second.id])
        #expect(next.next == nil)
        try await fixture.decide(.approve, in: fixture.claim(first))
        let rest = try await fixture.reviews.queue(PageRequest(limit: 9), by: fixture.reviewer)
        #expect(rest.items.map(\.id) == [second.id])
        // The publisher sees all of them, the newest first.
        let all = try await fixture.reviews.submissions(
            PageRequest(limit: 9), by: fixture.publisher)
        #expect(all.items.map(\.id) == [second.id, first.id])
        let waiting = try await fixture.reviews.submissions(
            of: fixture.app.id, states: [.waitingForReview], PageRequest(limit: 9),
            by: fixture.publisher)
        #expect(waiting.items.map(\.id) == [second.id])
    }

    @Test(arguments: [ReviewDecision.reject("Broken."), .askDeveloper("Which one?")])
    func `what was sent back is changed and goes again`(decision: ReviewDecision) async throws {
        let fixture = try await ReviewFixture()
        try await fixture.decide(decision, in: fixture.claim(fixture.submit(ReviewFixture.badge)))
        let early = await fixture.refusal { try await fixture.submit(ReviewFixture.badge) }
        #expect(early?.rule == "productState")
        #expect(early?.help.contains("Read the reviewer's message") == true)
        // Whatever is changed: here the notes, there the texts.
        if case .reject = decision {
            _ = try await fixture.products.update(
                fixture.number(ReviewFixture.badge), ProductChange(reviewNote: "Tap it."),
                by: fixture.publisher)
        } else {
            try await fixture.rename(ReviewFixture.badge, "A better badge")
        }
        #expect(try await fixture.state() == .readyToSubmit)
        try await fixture.approve()
        #expect(try await fixture.state() == .approved)
        let history = try await fixture.reviews.history(
            of: ReviewFixture.badge, in: fixture.app.id, by: fixture.publisher)
        try #require(history.count == 2)
        #expect(history[0].state == .approved)
        #expect(history[1].message == (try decisionMessage(decision)))
    }

    private func decisionMessage(_ decision: ReviewDecision) throws -> String? {
        switch decision {
        case .approve: nil
        case .reject(let text), .askDeveloper(let text): text
        }
    }

    @Test func `a product that lacks something is refused with all that it lacks`() async throws {
        let fixture = try await ReviewFixture()
        let made = try await fixture.products.create(
            NewProduct(
                productID: "com.example.shop.empty", type: .consumable, referenceName: "Empty"),
            in: fixture.app.id, by: fixture.publisher)
        #expect(made.state == .missingMetadata)
        let number = made.number
        func lack() async throws -> String {
            let refusal = await fixture.refusal {
                _ = try await fixture.reviews.submit(numbers: [number], by: fixture.publisher)
            }
            #expect(refusal?.rule == "productIncomplete")
            return try #require(refusal).help
        }
        let all = try await lack()
        for missing in ["display name", "price", "screenshot"] {
            #expect(all.contains(missing), "\(missing)")
        }
        // Something that its state does not tell yet.
        try await fixture.store.database.write { repositories in
            try repositories.catalog.setState(
                .readyToSubmit, of: made.id, in: made.summary.app)
        }
        #expect(try await lack() == all)
    }

    @Test func `a product that lacks its screenshot only is refused with that`() async throws {
        let fixture = try await ReviewFixture()
        let season = try #require(ProductID(SampleShop.season))
        let number = try await fixture.number(season)
        try await fixture.store.database.write { repositories in
            try repositories.catalog.setState(
                .missingMetadata, of: season, in: fixture.app.id)
        }
        let refusal = await fixture.refusal {
            _ = try await fixture.reviews.submit(numbers: [number], by: fixture.publisher)
        }
        #expect(
            refusal?.help == "Upload a screenshot that shows reviewers where the app offers it.")
    }

    @Test func `all that keeps a submission from being made is told at once`() async throws {
        let fixture = try await ReviewFixture()
        let season = try #require(ProductID(SampleShop.season))
        let chapter = try await fixture.number(ReviewFixture.chapter)
        _ = try await fixture.store.services.hosting.setHosting(
            true, of: chapter, by: fixture.publisher)
        _ = try await fixture.products.setAvailability(
            .only([]), of: chapter, by: fixture.publisher)
        let before = try await fixture.picture()
        let refusal = try #require(
            await fixture.refusal {
                try await fixture.submit(ReviewFixture.badge, ReviewFixture.chapter, season)
            })
        #expect(refusal.rule == "productIncomplete")
        #expect(refusal.problem.hasPrefix("2 parts of the submission are not ready"))
        for sentence in [
            "\(ReviewFixture.chapter) is not complete. Choose at least one territory",
            "Upload its hosted content.", "\(season) is not complete. Upload a screenshot",
        ] {
            #expect(refusal.help.contains(sentence), "\(sentence)")
        }
        #expect(try await fixture.picture() == before)
        // A product that waits for its content says what else it lacks.
        _ = try await fixture.products.setAvailability(
            .everywhere, of: chapter, by: fixture.publisher)
        #expect(try await fixture.state(ReviewFixture.chapter) == .waitingForUpload)
        let alone = await fixture.refusal { try await fixture.submit(ReviewFixture.chapter) }
        #expect(alone?.rule == "productIncomplete" && alone?.help == "Upload its hosted content.")
    }

    @Test func `what waits is taken back, what is reviewed is not`() async throws {
        let fixture = try await ReviewFixture()
        let submission = try await fixture.submit(ReviewFixture.badge, ReviewFixture.chapter)
        let rest = try await fixture.reviews.withdraw(
            ReviewFixture.badge, of: fixture.app.id, by: fixture.publisher)
        #expect(rest.items.map(\.state) == [.withdrawn, .waitingForReview])
        #expect(rest.state == .waitingForReview)
        #expect(try await fixture.state() == .readyToSubmit)
        #expect(try await fixture.record().openRevision?.state == .developerRejected)
        let gone = try await fixture.reviews.withdraw(submission.id, by: fixture.publisher)
        #expect(gone.state == .withdrawn)
        #expect(try await fixture.state(ReviewFixture.chapter) == .readyToSubmit)
        // As it is, it can go again.
        let again = try await fixture.claim(fixture.submit(ReviewFixture.badge))
        let before = try await fixture.picture()
        let late = await fixture.refusal {
            _ = try await fixture.reviews.withdraw(again.id, by: fixture.publisher)
        }
        #expect(late?.rule == "submissionState")
        let lateToo = await fixture.refusal {
            _ = try await fixture.reviews.withdraw(
                ReviewFixture.badge, of: fixture.app.id, by: fixture.publisher)
        }
        #expect(lateToo?.rule == "productState")
        #expect(lateToo?.help.contains("Wait for the decision") == true)
        let nothing = await fixture.refusal {
            _ = try await fixture.reviews.withdraw(
                ReviewFixture.chapter, of: fixture.app.id, by: fixture.publisher)
        }
        #expect(nothing?.rule == "notSubmitted")
        #expect(try await fixture.picture() == before)
    }

    @Test(arguments: [ReviewDecision.reject("Too dear."), .askDeveloper("Why so dear?")])
    func `a product that was sent back for its price or availability goes again with another`(
        decision: ReviewDecision
    ) async throws {
        let fixture = try await ReviewFixture()
        let badge = try await fixture.number(ReviewFixture.badge)
        try await fixture.decide(decision, in: fixture.claim(fixture.submit(ReviewFixture.badge)))
        let early = await fixture.refusal { try await fixture.submit(ReviewFixture.badge) }
        #expect(early?.rule == "productState")
        _ = try await fixture.products.setPrices(
            PriceSchedule(tier: "7"), of: badge, by: fixture.publisher)
        try await fixture.decide(decision, in: fixture.claim(fixture.submit(ReviewFixture.badge)))
        _ = try await fixture.products.setAvailability(
            .only(["USA"]), of: badge, by: fixture.publisher)
        try await fixture.approve()
        #expect(try await fixture.record().revisionOnSale != nil)
    }

    @Test func `where a product on sale is sold is for those who may take it from sale`()
        async throws
    {
        let fixture = try await ReviewFixture(isApproved: true)
        let badge = try await fixture.number(ReviewFixture.badge)
        let marketing = ReviewFixture.person(9, team: fixture.app.teamID, .marketing)
        let refusal = await fixture.refusal {
            _ = try await fixture.products.setAvailability(.only([]), of: badge, by: marketing)
        }
        #expect(refusal?.rule == "role")
        #expect(try await fixture.record().product.availability == .everywhere)
        try await fixture.sale.setSale(false, of: badge, by: fixture.publisher)
        _ = try await fixture.products.setAvailability(.only(["USA"]), of: badge, by: marketing)
    }

    @Test func `a product on sale stays so while its new texts are reviewed`() async throws {
        let fixture = try await ReviewFixture(isApproved: true)
        let nothing = await fixture.refusal { try await fixture.submit(ReviewFixture.badge) }
        #expect(nothing?.rule == "nothingToSubmit")
        try await fixture.rename(ReviewFixture.badge, "A brighter badge")
        let submission = try await fixture.claim(fixture.submit(ReviewFixture.badge))
        #expect(try await fixture.state() == .approved)
        #expect(try await fixture.record().product.approvedTexts?["en_US"]?.title == "A badge")
        let edit = await fixture.refusal { try await fixture.rename(ReviewFixture.badge, "Other") }
        #expect(edit?.rule == "revisionState")
        try await fixture.decide(.reject("Too bright."), in: submission)
        #expect(try await fixture.state() == .approved)
        let unchanged = await fixture.refusal { try await fixture.submit(ReviewFixture.badge) }
        #expect(unchanged?.rule == "revisionState")
        // Prices are no part of what was rejected.
        _ = try await fixture.products.setPrices(
            PriceSchedule(tier: "7"), of: fixture.number(ReviewFixture.badge), by: fixture.publisher
        )
        let cheaper = await fixture.refusal { try await fixture.submit(ReviewFixture.badge) }
        #expect(cheaper?.rule == "revisionState")
        try await fixture.rename(ReviewFixture.badge, "A dim badge")
        try await fixture.approve()
        let record = try await fixture.record()
        #expect(record.product.approvedTexts == nil)
        #expect(record.revisionOnSale?.texts["en_US"]?.title == "A dim badge")
    }

    @Test func `new content goes alone or with new texts`() async throws {
        let fixture = try await ReviewFixture()
        try await fixture.addContent("1.0")
        try await fixture.approve(ReviewFixture.chapter)
        try await fixture.addContent("1.1")
        let alone = try await fixture.submit(ReviewFixture.chapter)
        let content = try #require(alone.items.first)
        #expect(content.content == ContentVersion("1.1"))
        #expect(content.revision == nil)
        try await fixture.decide(.approve, ReviewFixture.chapter, in: fixture.claim(alone))
        let record = try await fixture.record(ReviewFixture.chapter)
        #expect(record.product.currentRelease(in: .production)?.version.text == "1.1")
        try await fixture.rename(ReviewFixture.chapter, "The first chapter, revised")
        try await fixture.addContent("1.2")
        let both = try #require(try await fixture.submit(ReviewFixture.chapter).items.first)
        #expect(both.content == ContentVersion("1.2"))
        #expect(both.revision != nil)
    }

    @Test func `hosted content that is missing or rejected is not submitted`() async throws {
        let fixture = try await ReviewFixture()
        try await fixture.addContent("1.0")
        let claimed = try await fixture.claim(fixture.submit(ReviewFixture.chapter))
        try await fixture.decide(.reject("Torn."), ReviewFixture.chapter, in: claimed)
        try await fixture.rename(ReviewFixture.chapter, "Another title")
        let refusal = await fixture.refusal { try await fixture.submit(ReviewFixture.chapter) }
        #expect(refusal?.rule == "contentMissing")
        #expect(refusal?.help.contains("Upload") == true)
        try await fixture.addContent("1.1")
        try await fixture.approve(ReviewFixture.chapter)
        // A question is not a rejection: the same content may come again.
        try await fixture.addContent("1.2")
        let asked = try await fixture.claim(fixture.submit(ReviewFixture.chapter))
        try await fixture.decide(.askDeveloper("Which?"), ReviewFixture.chapter, in: asked)
        let again = try await fixture.submit(ReviewFixture.chapter)
        #expect(again.items.map(\.content) == [ContentVersion("1.2")])
    }

    @Test func `submissions that make no sense are refused, and change nothing`() async throws {
        let fixture = try await ReviewFixture()
        let before = try await fixture.picture()
        let reviews = fixture.reviews
        let (app, publisher) = (fixture.app.id, fixture.publisher)
        let badge = ReviewFixture.badge
        let many = (0...200).map { ProductID("com.example.shop.\($0)")! }
        let tries: [(rule: String, products: [ProductID])] = [
            ("submissionEmpty", []), ("submissionTwice", [badge, badge]),
            ("submissionSize", many), ("notFound", [badge, ProductID("com.example.other")!]),
        ]
        for (rule, products) in tries {
            let refusal = await fixture.refusal {
                _ = try await reviews.submit(products, of: app, by: publisher)
            }
            #expect(refusal?.rule == rule)
        }
        #expect(try await fixture.picture() == before)
        try await fixture.submit(badge)
        let pending = await fixture.refusal { try await fixture.submit(badge) }
        #expect(pending?.rule == "reviewPending")
        #expect(pending?.help.contains("take that submission back") == true)
    }

    @Test func `a decision that sends something back needs a message`() async throws {
        let fixture = try await ReviewFixture()
        let submission = try await fixture.claim(fixture.submit(ReviewFixture.badge))
        let before = try await fixture.picture()
        for decision in [ReviewDecision.reject(" \n"), .askDeveloper("")] {
            let refusal = await fixture.refusal {
                try await fixture.decide(decision, in: submission)
            }
            #expect(refusal?.rule == "messageMissing")
            #expect(refusal?.field == "message")
        }
        let long = String(repeating: "a", count: 4001)
        for (text, rule) in [(long, "messageLength"), ("no\0", "messageCharacters")] {
            let refusal = await fixture.refusal {
                try await fixture.decide(.reject(text), in: submission)
            }
            #expect(refusal?.rule == rule)
        }
        #expect(try await fixture.picture() == before)
    }

    @Test func `an import with approval leaves a decided submission`() async throws {
        let fixture = try await ReviewFixture(isApproved: true)
        let all = try await fixture.reviews.submissions(
            PageRequest(limit: 9), by: fixture.publisher)
        #expect(all.items.map(\.state) == [.complete])
        let first = try #require(all.items.first)
        #expect(first.submitter.name == "command line")
        #expect(first.items.allSatisfy { $0.state == .approved })
        // Once more, there is nothing new.
        try await fixture.opened.importShop(isApproved: true)
        let later = try await fixture.reviews.submissions(
            PageRequest(limit: 9), by: fixture.publisher)
        #expect(later.total == 1)
        // Texts that come with it are what customers read.
        try await fixture.rename(ReviewFixture.badge, "Mine")
        try await fixture.submit(ReviewFixture.badge)
        try await fixture.opened.importShop(isApproved: true)
        let record = try await fixture.record()
        #expect(record.openRevision == nil)
        #expect(record.revisionOnSale?.texts["en_US"]?.title == "A badge")
    }
}
