import Foundation
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Products on their way through review.
@Suite struct ReviewServiceTests {
    @Test func `a product goes alone, and is sold when it is approved`() async throws {
        let stage = try await ReviewStage()
        let submission = try await stage.submit(ReviewStage.badge)
        #expect(submission.state == .waitingForReview)
        #expect(submission.items.map(\.name) == [SampleShop.badge])
        #expect(submission.submitter.name == "person1@example.com")
        #expect(try await stage.state() == .waitingForReview)
        #expect(try await stage.record().openRevision?.state == .waitingForReview)
        let claimed = try await stage.claim(submission)
        #expect(claimed.state == .inReview)
        #expect(claimed.claimant == ReviewParty(stage.reviewer))
        #expect(try await stage.state() == .inReview)
        #expect(try await !stage.isSold(ReviewStage.badge))
        let decided = try await stage.decide(.approve, in: claimed)
        #expect(decided.state == .complete)
        #expect(decided.items.map(\.state) == [.approved])
        #expect(decided.items.map(\.decider) == [ReviewParty(stage.reviewer)])
        let record = try await stage.record()
        #expect(record.state == .approved)
        #expect(record.openRevision == nil)
        #expect(record.revisionOnSale?.texts["en_US"]?.title == "A badge")
        #expect(try await stage.isSold(ReviewStage.badge))
    }

    @Test func `products go together, and are decided one by one`() async throws {
        let stage = try await ReviewStage()
        let submission = try await stage.claim(
            stage.submit(ReviewStage.badge, ReviewStage.chapter, ReviewStage.credits))
        var decided = try await stage.decide(.approve, ReviewStage.chapter, in: submission)
        #expect(decided.state == .inReview)
        decided = try await stage.decide(.reject("No."), ReviewStage.badge, in: submission)
        decided = try await stage.decide(
            .askDeveloper("How?"), ReviewStage.credits, in: submission)
        #expect(decided.state == .complete)
        #expect(decided.items.map(\.state) == [.rejected, .approved, .developerActionNeeded])
        #expect(decided.items.map(\.message) == ["No.", nil, "How?"])
        #expect(try await stage.state(ReviewStage.badge) == .rejected)
        #expect(try await stage.state(ReviewStage.chapter) == .approved)
        #expect(try await stage.state(ReviewStage.credits) == .developerActionNeeded)
    }

    @Test func `the queue has what waits of all teams, the oldest first`() async throws {
        let stage = try await ReviewStage()
        let first = try await stage.submit(ReviewStage.badge)
        let second = try await stage.submit(ReviewStage.chapter)
        let page = try await stage.reviews.queue(PageRequest(limit: 1), by: stage.reviewer)
        #expect(page.items.map(\.id) == [first.id])
        #expect(page.total == 2)
        let next = try await stage.reviews.queue(
            PageRequest(limit: 1, cursor: page.next), by: stage.reviewer)
        #expect(next.items.map(\.id) == [second.id])
        #expect(next.next == nil)
        try await stage.decide(.approve, in: stage.claim(first))
        let rest = try await stage.reviews.queue(PageRequest(limit: 9), by: stage.reviewer)
        #expect(rest.items.map(\.id) == [second.id])
        // The publisher sees all of them, the newest first.
        let all = try await stage.reviews.submissions(PageRequest(limit: 9), by: stage.publisher)
        #expect(all.items.map(\.id) == [second.id, first.id])
        let waiting = try await stage.reviews.submissions(
            of: stage.app.id, states: [.waitingForReview], PageRequest(limit: 9),
            by: stage.publisher)
        #expect(waiting.items.map(\.id) == [second.id])
    }

    @Test(arguments: [ReviewDecision.reject("Broken."), .askDeveloper("Which one?")])
    func `what was sent back is changed and goes again`(decision: ReviewDecision) async throws {
        let stage = try await ReviewStage()
        try await stage.decide(decision, in: stage.claim(stage.submit(ReviewStage.badge)))
        let early = await stage.refusal { try await stage.submit(ReviewStage.badge) }
        #expect(early?.rule == "productState")
        #expect(early?.help.contains("Read the reviewer's message") == true)
        // Whatever is changed: here the notes, there the texts.
        if case .reject = decision {
            _ = try await stage.products.update(
                stage.number(ReviewStage.badge), ProductChange(reviewNote: "Tap it."),
                by: stage.publisher)
        } else {
            try await stage.rename(ReviewStage.badge, "A better badge")
        }
        #expect(try await stage.state() == .readyToSubmit)
        try await stage.approve()
        #expect(try await stage.state() == .approved)
        let history = try await stage.reviews.history(
            of: ReviewStage.badge, in: stage.app.id, by: stage.publisher)
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
        let stage = try await ReviewStage()
        let made = try await stage.products.create(
            NewProduct(
                productID: "com.example.shop.empty", type: .consumable, referenceName: "Empty"),
            in: stage.app.id, by: stage.publisher)
        #expect(made.state == .missingMetadata)
        let number = made.number
        func lack() async throws -> String {
            let refusal = await stage.refusal {
                _ = try await stage.reviews.submit(numbers: [number], by: stage.publisher)
            }
            #expect(refusal?.rule == "productIncomplete")
            return try #require(refusal).help
        }
        let all = try await lack()
        for missing in ["display name", "price", "screenshot"] {
            #expect(all.contains(missing), "\(missing)")
        }
        // Something that its state does not tell yet.
        try await stage.store.database.write { repositories in
            try repositories.catalog.setState(
                .readyToSubmit, of: made.id, in: made.summary.app)
        }
        #expect(try await lack() == all)
    }

    @Test func `a product that lacks its screenshot only is refused with that`() async throws {
        let stage = try await ReviewStage()
        let season = try #require(ProductID(SampleShop.season))
        let number = try await stage.number(season)
        try await stage.store.database.write { repositories in
            try repositories.catalog.setState(
                .missingMetadata, of: season, in: stage.app.id)
        }
        let refusal = await stage.refusal {
            _ = try await stage.reviews.submit(numbers: [number], by: stage.publisher)
        }
        #expect(
            refusal?.help == "Upload a screenshot that shows reviewers where the app offers it.")
    }

    @Test func `all that keeps a submission from being made is told at once`() async throws {
        let stage = try await ReviewStage()
        let season = try #require(ProductID(SampleShop.season))
        let chapter = try await stage.number(ReviewStage.chapter)
        _ = try await stage.store.services.hosting.setHosting(
            true, of: chapter, by: stage.publisher)
        _ = try await stage.products.setAvailability(.only([]), of: chapter, by: stage.publisher)
        let before = try await stage.picture()
        let refusal = try #require(
            await stage.refusal {
                try await stage.submit(ReviewStage.badge, ReviewStage.chapter, season)
            })
        #expect(refusal.rule == "productIncomplete")
        #expect(refusal.problem.hasPrefix("2 parts of the submission are not ready"))
        for sentence in [
            "\(ReviewStage.chapter) is not complete. Choose at least one territory",
            "Upload its hosted content.", "\(season) is not complete. Upload a screenshot",
        ] {
            #expect(refusal.help.contains(sentence), "\(sentence)")
        }
        #expect(try await stage.picture() == before)
        // A product that waits for its content says what else it lacks.
        _ = try await stage.products.setAvailability(
            .everywhere, of: chapter, by: stage.publisher)
        #expect(try await stage.state(ReviewStage.chapter) == .waitingForUpload)
        let alone = await stage.refusal { try await stage.submit(ReviewStage.chapter) }
        #expect(alone?.rule == "productIncomplete" && alone?.help == "Upload its hosted content.")
    }

    @Test func `what waits is taken back, what is reviewed is not`() async throws {
        let stage = try await ReviewStage()
        let submission = try await stage.submit(ReviewStage.badge, ReviewStage.chapter)
        let rest = try await stage.reviews.withdraw(
            ReviewStage.badge, of: stage.app.id, by: stage.publisher)
        #expect(rest.items.map(\.state) == [.withdrawn, .waitingForReview])
        #expect(rest.state == .waitingForReview)
        #expect(try await stage.state() == .readyToSubmit)
        #expect(try await stage.record().openRevision?.state == .developerRejected)
        let gone = try await stage.reviews.withdraw(submission.id, by: stage.publisher)
        #expect(gone.state == .withdrawn)
        #expect(try await stage.state(ReviewStage.chapter) == .readyToSubmit)
        // As it is, it can go again.
        let again = try await stage.claim(stage.submit(ReviewStage.badge))
        let before = try await stage.picture()
        let late = await stage.refusal {
            _ = try await stage.reviews.withdraw(again.id, by: stage.publisher)
        }
        #expect(late?.rule == "submissionState")
        let lateToo = await stage.refusal {
            _ = try await stage.reviews.withdraw(
                ReviewStage.badge, of: stage.app.id, by: stage.publisher)
        }
        #expect(lateToo?.rule == "productState")
        #expect(lateToo?.help.contains("Wait for the decision") == true)
        let nothing = await stage.refusal {
            _ = try await stage.reviews.withdraw(
                ReviewStage.chapter, of: stage.app.id, by: stage.publisher)
        }
        #expect(nothing?.rule == "notSubmitted")
        #expect(try await stage.picture() == before)
    }

    @Test(arguments: [ReviewDecision.reject("Too dear."), .askDeveloper("Why so dear?")])
    func `a product that was sent back for its price or availability goes again with another`(
        decision: ReviewDecision
    ) async throws {
        let stage = try await ReviewStage()
        let badge = try await stage.number(ReviewStage.badge)
        try await stage.decide(decision, in: stage.claim(stage.submit(ReviewStage.badge)))
        let early = await stage.refusal { try await stage.submit(ReviewStage.badge) }
        #expect(early?.rule == "productState")
        _ = try await stage.products.setPrices(
            PriceSchedule(tier: "7"), of: badge, by: stage.publisher)
        try await stage.decide(decision, in: stage.claim(stage.submit(ReviewStage.badge)))
        _ = try await stage.products.setAvailability(
            .only(["USA"]), of: badge, by: stage.publisher)
        try await stage.approve()
        #expect(try await stage.record().revisionOnSale != nil)
    }

    @Test func `where a product on sale is sold is for those who may take it from sale`()
        async throws
    {
        let stage = try await ReviewStage(isApproved: true)
        let badge = try await stage.number(ReviewStage.badge)
        let marketing = ReviewStage.person(9, team: stage.app.teamID, .marketing)
        let refusal = await stage.refusal {
            _ = try await stage.products.setAvailability(.only([]), of: badge, by: marketing)
        }
        #expect(refusal?.rule == "role")
        #expect(try await stage.record().product.availability == .everywhere)
        try await stage.sale.setSale(false, of: badge, by: stage.publisher)
        _ = try await stage.products.setAvailability(.only(["USA"]), of: badge, by: marketing)
    }

    @Test func `a product on sale stays so while its new texts are reviewed`() async throws {
        let stage = try await ReviewStage(isApproved: true)
        let nothing = await stage.refusal { try await stage.submit(ReviewStage.badge) }
        #expect(nothing?.rule == "nothingToSubmit")
        try await stage.rename(ReviewStage.badge, "A brighter badge")
        let submission = try await stage.claim(stage.submit(ReviewStage.badge))
        #expect(try await stage.state() == .approved)
        #expect(try await stage.record().product.approvedTexts?["en_US"]?.title == "A badge")
        let edit = await stage.refusal { try await stage.rename(ReviewStage.badge, "Other") }
        #expect(edit?.rule == "revisionState")
        try await stage.decide(.reject("Too bright."), in: submission)
        #expect(try await stage.state() == .approved)
        let unchanged = await stage.refusal { try await stage.submit(ReviewStage.badge) }
        #expect(unchanged?.rule == "revisionState")
        // Prices are no part of what was rejected.
        _ = try await stage.products.setPrices(
            PriceSchedule(tier: "7"), of: stage.number(ReviewStage.badge), by: stage.publisher)
        let cheaper = await stage.refusal { try await stage.submit(ReviewStage.badge) }
        #expect(cheaper?.rule == "revisionState")
        try await stage.rename(ReviewStage.badge, "A dim badge")
        try await stage.approve()
        let record = try await stage.record()
        #expect(record.product.approvedTexts == nil)
        #expect(record.revisionOnSale?.texts["en_US"]?.title == "A dim badge")
    }

    @Test func `new content goes alone or with new texts`() async throws {
        let stage = try await ReviewStage()
        try await stage.addContent("1.0")
        try await stage.approve(ReviewStage.chapter)
        try await stage.addContent("1.1")
        let alone = try await stage.submit(ReviewStage.chapter)
        let content = try #require(alone.items.first)
        #expect(content.content == ContentVersion("1.1"))
        #expect(content.revision == nil)
        try await stage.decide(.approve, ReviewStage.chapter, in: stage.claim(alone))
        let record = try await stage.record(ReviewStage.chapter)
        #expect(record.product.currentRelease(in: .production)?.version.text == "1.1")
        try await stage.rename(ReviewStage.chapter, "The first chapter, revised")
        try await stage.addContent("1.2")
        let both = try #require(try await stage.submit(ReviewStage.chapter).items.first)
        #expect(both.content == ContentVersion("1.2"))
        #expect(both.revision != nil)
    }

    @Test func `hosted content that is missing or rejected is not submitted`() async throws {
        let stage = try await ReviewStage()
        try await stage.addContent("1.0")
        let claimed = try await stage.claim(stage.submit(ReviewStage.chapter))
        try await stage.decide(.reject("Torn."), ReviewStage.chapter, in: claimed)
        try await stage.rename(ReviewStage.chapter, "Another title")
        let refusal = await stage.refusal { try await stage.submit(ReviewStage.chapter) }
        #expect(refusal?.rule == "contentMissing")
        #expect(refusal?.help.contains("Upload") == true)
        try await stage.addContent("1.1")
        try await stage.approve(ReviewStage.chapter)
        // A question is not a rejection: the same content may come again.
        try await stage.addContent("1.2")
        let asked = try await stage.claim(stage.submit(ReviewStage.chapter))
        try await stage.decide(.askDeveloper("Which?"), ReviewStage.chapter, in: asked)
        let again = try await stage.submit(ReviewStage.chapter)
        #expect(again.items.map(\.content) == [ContentVersion("1.2")])
    }

    @Test func `submissions that make no sense are refused, and change nothing`() async throws {
        let stage = try await ReviewStage()
        let before = try await stage.picture()
        let reviews = stage.reviews
        let (app, publisher) = (stage.app.id, stage.publisher)
        let badge = ReviewStage.badge
        let many = (0...200).map { ProductID("com.example.shop.\($0)")! }
        let tries: [(rule: String, products: [ProductID])] = [
            ("submissionEmpty", []), ("submissionTwice", [badge, badge]),
            ("submissionSize", many), ("notFound", [badge, ProductID("com.example.other")!]),
        ]
        for (rule, products) in tries {
            let refusal = await stage.refusal {
                _ = try await reviews.submit(products, of: app, by: publisher)
            }
            #expect(refusal?.rule == rule)
        }
        #expect(try await stage.picture() == before)
        try await stage.submit(badge)
        let pending = await stage.refusal { try await stage.submit(badge) }
        #expect(pending?.rule == "reviewPending")
        #expect(pending?.help.contains("take that submission back") == true)
    }

    @Test func `a decision that sends something back needs a message`() async throws {
        let stage = try await ReviewStage()
        let submission = try await stage.claim(stage.submit(ReviewStage.badge))
        let before = try await stage.picture()
        for decision in [ReviewDecision.reject(" \n"), .askDeveloper("")] {
            let refusal = await stage.refusal { try await stage.decide(decision, in: submission) }
            #expect(refusal?.rule == "messageMissing")
            #expect(refusal?.field == "message")
        }
        let long = String(repeating: "a", count: 4001)
        let refusal = await stage.refusal { try await stage.decide(.reject(long), in: submission) }
        #expect(refusal?.rule == "messageLength")
        #expect(try await stage.picture() == before)
    }

    @Test func `an import with approval leaves a decided submission`() async throws {
        let stage = try await ReviewStage(isApproved: true)
        let all = try await stage.reviews.submissions(PageRequest(limit: 9), by: stage.publisher)
        #expect(all.items.map(\.state) == [.complete])
        let first = try #require(all.items.first)
        #expect(first.submitter.name == "command line")
        #expect(first.items.allSatisfy { $0.state == .approved })
        // Once more, there is nothing new.
        try await stage.opened.importShop(isApproved: true)
        let later = try await stage.reviews.submissions(PageRequest(limit: 9), by: stage.publisher)
        #expect(later.total == 1)
        // Texts that come with it are what customers read.
        try await stage.rename(ReviewStage.badge, "Mine")
        try await stage.submit(ReviewStage.badge)
        try await stage.opened.importShop(isApproved: true)
        let record = try await stage.record()
        #expect(record.openRevision == nil)
        #expect(record.revisionOnSale?.texts["en_US"]?.title == "A badge")
    }
}
