import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Products that go through review with a version of their app.
@Suite struct BinaryReviewTests {
    @Test func `an approved product waits for its binary`() async throws {
        let stage = try await ReviewStage()
        let version = try await stage.makeVersion()
        let submission = try await stage.claim(
            stage.submit(ReviewStage.badge, ReviewStage.chapter, version: version))
        #expect(try await stage.version(version) == .inReview)
        var decided = try await stage.decide(.approve, in: submission)
        #expect(try await stage.state() == .pendingBinaryApproval)
        #expect(try await stage.record().openRevision?.state == .accepted)
        #expect(try await !stage.isSold(ReviewStage.badge))
        #expect(decided.state == .inReview)
        decided = try await stage.decide(.approve, nil, in: submission)
        #expect(try await stage.version(version) == .readyForSale)
        #expect(try await stage.state() == .approved)
        #expect(try await stage.isSold(ReviewStage.badge))
        // What was not decided before the binary does not wait.
        #expect(decided.items.map(\.state) == [.approved, .approved, .inReview])
        decided = try await stage.decide(.approve, ReviewStage.chapter, in: submission)
        #expect(try await stage.state(ReviewStage.chapter) == .approved)
        #expect(decided.state == .complete)
    }

    @Test func `products come back with a binary that is rejected`() async throws {
        let stage = try await ReviewStage()
        try await stage.addContent("1.0")
        let version = try await stage.makeVersion()
        let submission = try await stage.claim(
            stage.submit(
                ReviewStage.badge, ReviewStage.chapter, ReviewStage.credits, version: version))
        try await stage.decide(.approve, ReviewStage.chapter, in: submission)
        try await stage.decide(.reject("No."), ReviewStage.credits, in: submission)
        let decided = try await stage.decide(.reject("It crashes."), nil, in: submission)
        #expect(decided.state == .complete)
        #expect(decided.items.map(\.state) == [.rejected, .returned, .returned, .rejected])
        #expect(try await stage.version(version) == .rejected)
        #expect(try await stage.state(ReviewStage.badge) == .readyToSubmit)
        #expect(try await stage.state(ReviewStage.chapter) == .readyToSubmit)
        #expect(try await stage.state(ReviewStage.credits) == .rejected)
        // The content is as ready as it was, and the products can go alone.
        let again = try await stage.submit(ReviewStage.badge, ReviewStage.chapter)
        #expect(again.items.map(\.content) == [nil, ContentVersion("1.0")])
    }

    @Test func `content that waits for its binary is delivered with it`() async throws {
        let stage = try await ReviewStage()
        try await stage.addContent("1.0")
        let version = try await stage.makeVersion()
        let submission = try await stage.claim(
            stage.submit(ReviewStage.chapter, version: version))
        try await stage.decide(.approve, ReviewStage.chapter, in: submission)
        var record = try await stage.record(ReviewStage.chapter)
        #expect(record.product.currentRelease(in: .production) == nil)
        try await stage.decide(.approve, nil, in: submission)
        record = try await stage.record(ReviewStage.chapter)
        #expect(record.product.currentRelease(in: .production)?.version.text == "1.0")
    }

    @Test func `a version is taken back also while it is reviewed, with its products`()
        async throws
    {
        let stage = try await ReviewStage()
        let version = try await stage.makeVersion()
        let submission = try await stage.claim(stage.submit(ReviewStage.badge, version: version))
        let state = try await stage.reviews.withdraw(version: version, by: stage.publisher).state
        #expect(state == .developerRejected)
        #expect(try await stage.state() == .readyToSubmit)
        let found = try await stage.reviews.submission(submission.id, by: stage.publisher)
        #expect(found.state == .complete)
        #expect(found.items.map(\.state) == [.withdrawn, .returned])
        let again = try await stage.submit(ReviewStage.badge, version: version)
        _ = try await stage.reviews.withdraw(version: version, by: stage.publisher)
        let gone = try await stage.reviews.submission(again.id, by: stage.publisher)
        #expect(gone.state == .withdrawn)
        let late = await stage.refusal {
            _ = try await stage.reviews.withdraw(version: version, by: stage.publisher)
        }
        #expect(late?.rule == "versionState")
    }

    @Test func `a version is approved or rejected, and needs a build`() async throws {
        let stage = try await ReviewStage()
        let version = try await stage.makeVersion()
        let submission = try await stage.claim(stage.submit(version: version))
        let before = try await stage.picture()
        let refusal = await stage.refusal {
            try await stage.decide(.askDeveloper("How?"), nil, in: submission)
        }
        #expect(refusal?.rule == "versionDecision")
        #expect(try await stage.picture() == before)
        try await stage.decide(.reject("No."), nil, in: submission)
        let history = try await stage.reviews.history(of: version, by: stage.publisher)
        #expect(history.map(\.message) == ["No."])
    }
}
