import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Products that go through review with a version of their app.
@Suite struct BinaryReviewTests {
    @Test func `an approved product waits for its binary`() async throws {
        let fixture = try await ReviewFixture()
        let version = try await fixture.makeVersion()
        let submission = try await fixture.claim(
            fixture.submit(ReviewFixture.badge, ReviewFixture.chapter, version: version))
        #expect(try await fixture.version(version) == .inReview)
        var decided = try await fixture.decide(.approve, in: submission)
        #expect(try await fixture.state() == .pendingBinaryApproval)
        #expect(try await fixture.record().openRevision?.state == .accepted)
        #expect(try await !fixture.isSold(ReviewFixture.badge))
        #expect(decided.state == .inReview)
        decided = try await fixture.decide(.approve, nil, in: submission)
        #expect(try await fixture.version(version) == .readyForSale)
        #expect(try await fixture.state() == .approved)
        #expect(try await fixture.isSold(ReviewFixture.badge))
        // What was not decided before the binary does not wait.
        #expect(decided.items.map(\.state) == [.approved, .approved, .inReview])
        decided = try await fixture.decide(.approve, ReviewFixture.chapter, in: submission)
        #expect(try await fixture.state(ReviewFixture.chapter) == .approved)
        #expect(decided.state == .complete)
    }

    @Test func `products come back with a binary that is rejected`() async throws {
        let fixture = try await ReviewFixture()
        try await fixture.addContent("1.0")
        let version = try await fixture.makeVersion()
        let submission = try await fixture.claim(
            fixture.submit(
                ReviewFixture.badge, ReviewFixture.chapter, ReviewFixture.credits, version: version)
        )
        try await fixture.decide(.approve, ReviewFixture.chapter, in: submission)
        try await fixture.decide(.reject("No."), ReviewFixture.credits, in: submission)
        let decided = try await fixture.decide(.reject("It crashes."), nil, in: submission)
        #expect(decided.state == .complete)
        #expect(decided.items.map(\.state) == [.rejected, .returned, .returned, .rejected])
        #expect(try await fixture.version(version) == .rejected)
        #expect(try await fixture.state(ReviewFixture.badge) == .readyToSubmit)
        #expect(try await fixture.state(ReviewFixture.chapter) == .readyToSubmit)
        #expect(try await fixture.state(ReviewFixture.credits) == .rejected)
        // The content is as ready as it was, and the products can go alone.
        let again = try await fixture.submit(ReviewFixture.badge, ReviewFixture.chapter)
        #expect(again.items.map(\.content) == [nil, ContentVersion("1.0")])
    }

    @Test func `content that waits for its binary is delivered with it`() async throws {
        let fixture = try await ReviewFixture()
        try await fixture.addContent("1.0")
        let version = try await fixture.makeVersion()
        let submission = try await fixture.claim(
            fixture.submit(ReviewFixture.chapter, version: version))
        try await fixture.decide(.approve, ReviewFixture.chapter, in: submission)
        var record = try await fixture.record(ReviewFixture.chapter)
        #expect(record.product.currentRelease(in: .production) == nil)
        try await fixture.decide(.approve, nil, in: submission)
        record = try await fixture.record(ReviewFixture.chapter)
        #expect(record.product.currentRelease(in: .production)?.version.text == "1.0")
    }

    @Test func `a version is taken back also while it is reviewed, with its products`()
        async throws
    {
        let fixture = try await ReviewFixture()
        let version = try await fixture.makeVersion()
        let submission = try await fixture.claim(
            fixture.submit(ReviewFixture.badge, version: version))
        let state = try await fixture.reviews.withdraw(version: version, by: fixture.publisher)
            .state
        #expect(state == .developerRejected)
        #expect(try await fixture.state() == .readyToSubmit)
        let found = try await fixture.reviews.submission(submission.id, by: fixture.publisher)
        #expect(found.state == .complete)
        #expect(found.items.map(\.state) == [.withdrawn, .returned])
        let again = try await fixture.submit(ReviewFixture.badge, version: version)
        _ = try await fixture.reviews.withdraw(version: version, by: fixture.publisher)
        let gone = try await fixture.reviews.submission(again.id, by: fixture.publisher)
        #expect(gone.state == .withdrawn)
        let late = await fixture.refusal {
            _ = try await fixture.reviews.withdraw(version: version, by: fixture.publisher)
        }
        #expect(late?.rule == "versionState")
    }

    @Test func `a version is approved or rejected, and needs a build`() async throws {
        let fixture = try await ReviewFixture()
        let version = try await fixture.makeVersion()
        let submission = try await fixture.claim(fixture.submit(version: version))
        let before = try await fixture.picture()
        let refusal = await fixture.refusal {
            try await fixture.decide(.askDeveloper("How?"), nil, in: submission)
        }
        #expect(refusal?.rule == "versionDecision")
        #expect(try await fixture.picture() == before)
        try await fixture.decide(.reject("No."), nil, in: submission)
        let history = try await fixture.reviews.history(of: version, by: fixture.publisher)
        #expect(history.map(\.message) == ["No."])
    }
}
