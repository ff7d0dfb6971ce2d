import Foundation
@testable import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Who may submit, review and take from sale.
@Suite struct ReviewAccessTests {
    @Test(arguments: ConnectRole.allCases)
    func `each step takes its permission`(role: ConnectRole) async throws {
        let fixture = try await ReviewFixture(isApproved: true)
        try await fixture.rename(ReviewFixture.badge, "A new badge")
        let number = try await fixture.number(ReviewFixture.badge)
        let chapter = try await fixture.number(ReviewFixture.chapter)
        let actor = ReviewFixture.person(
            9, team: role.isStaff ? nil : fixture.app.teamID, role)
        let reviews = fixture.reviews
        let waiting = try await fixture.submit(ReviewFixture.badge)
        let item = try #require(waiting.items.first).id
        let steps: [(ConnectPermission, () async throws -> Void)] = [
            (.submit, { _ = try await reviews.submit(numbers: [chapter], by: actor) }),
            (.review, { _ = try await reviews.queue(PageRequest(limit: 1), by: actor) }),
            (.viewApps, { _ = try await reviews.submission(waiting.id, by: actor) }),
            (.viewApps, { _ = try await reviews.submission(with: item, by: actor) }),
            (.viewApps, { _ = try await reviews.comparison(of: item, by: actor) }),
            (
                .viewApps,
                { _ = try await reviews.submissions(PageRequest(limit: 1), by: actor) }
            ),
            (.viewApps, { _ = try await reviews.submittable(of: fixture.app.id, by: actor) }),
            (.viewApps, { _ = try await fixture.sale.changes(of: number, by: actor) }),
            (.changeSale, { _ = try await fixture.sale.setSale(false, of: chapter, by: actor) }),
            (.operate, { _ = try await fixture.sale.takeDown(chapter, reason: "x", by: actor) }),
            (.operate, { _ = try await fixture.sale.reinstate(chapter, by: actor) }),
            (.review, { _ = try await reviews.claim(waiting.id, by: actor) }),
            (.review, { _ = try await reviews.decide(.approve, on: item, by: actor) }),
            (.submit, { _ = try await reviews.withdraw(waiting.id, by: actor) }),
            (
                .manageProducts,
                {
                    _ = try await fixture.store.services.hosting.setHosting(
                        true, of: chapter, by: actor)
                }
            ),
        ]
        for (index, (permission, step)) in steps.enumerated() {
            let before = try await fixture.picture()
            let refusal = await fixture.refusal(step)
            if permission.roles.contains(role) {
                #expect(refusal?.rule != "role", "\(index)")
            } else {
                #expect(refusal?.kind == .forbidden, "\(index)")
                #expect(refusal?.rule == "role", "\(index)")
                #expect(try await fixture.picture() == before, "\(index)")
            }
        }
    }

    @Test func `what belongs to another team is not there`() async throws {
        let fixture = try await ReviewFixture(isApproved: true)
        try await fixture.rename(ReviewFixture.badge, "A new badge")
        let waiting = try await fixture.submit(ReviewFixture.badge)
        let item = try #require(waiting.items.first).id
        let number = try await fixture.number(ReviewFixture.badge)
        let version = try await fixture.makeVersion()
        let team = try await fixture.store.database.write {
            try $0.catalog.save(TeamDraft(name: "Other", hasPaidAgreement: true)).id
        }
        let stranger = ReviewFixture.person(8, team: team, .accountHolder)
        let reviews = fixture.reviews
        let before = try await fixture.picture()
        let (app, badge) = (fixture.app.id, ReviewFixture.badge)
        let steps: [() async throws -> Void] = [
            { _ = try await reviews.submit([badge], of: app, by: stranger) },
            { _ = try await reviews.submit(numbers: [number], by: stranger) },
            { _ = try await reviews.submit(numbers: [], version: version, by: stranger) },
            { _ = try await reviews.submission(waiting.id, by: stranger) },
            { _ = try await reviews.submission(with: item, by: stranger) },
            { _ = try await reviews.comparison(of: item, by: stranger) },
            { _ = try await reviews.withdraw(waiting.id, by: stranger) },
            { _ = try await reviews.withdraw(badge, of: app, by: stranger) },
            { _ = try await reviews.withdraw(version: version, by: stranger) },
            { _ = try await reviews.history(of: badge, in: app, by: stranger) },
            { _ = try await reviews.history(of: version, by: stranger) },
            { _ = try await reviews.submittable(of: app, by: stranger) },
            { _ = try await reviews.product(number, by: stranger) },
            { _ = try await fixture.sale.setSale(false, of: number, by: stranger) },
            { _ = try await fixture.sale.changes(of: number, by: stranger) },
            {
                _ = try await fixture.store.services.hosting.setHosting(
                    true, of: number, by: stranger)
            },
            { _ = try await fixture.store.services.hosting.versions(of: number, by: stranger) },
        ]
        for (index, step) in steps.enumerated() {
            #expect(await fixture.refusal(step)?.kind == .notFound, "\(index)")
        }
        #expect(try await fixture.picture() == before)
        let mine = try await reviews.submissions(PageRequest(limit: 9), by: stranger)
        #expect(mine.items.isEmpty)
        #expect(mine.total == 0)
    }

    /// Adds somebody of the staff.
    private func addReviewer(_ email: String, to fixture: ReviewFixture) async throws
        -> ConnectActor
    {
        let person = try await fixture.store.database.write { repositories in
            try repositories.people.insert(
                PersonDraft(
                    email: email, name: "Rita", passwordHash: "hash", staffRole: .reviewer),
                at: Date(timeIntervalSince1970: 1))
        }
        return ConnectActor(
            kind: .person(person.id, email: email), team: nil, roles: [.reviewer])
    }

    @Test func `nobody reviews what they have submitted themself`() async throws {
        let fixture = try await ReviewFixture()
        let rita = try await addReviewer("rita@example.com", to: fixture)
        let asMember = ConnectActor(
            kind: rita.kind, team: fixture.app.teamID, roles: [.appManager])
        let own = try await fixture.reviews.submit(
            [ReviewFixture.badge], of: fixture.app.id, by: asMember)
        let item = try #require(own.items.first).id
        // As long as she is the only one, nobody else could.
        _ = try await fixture.reviews.claim(own.id, by: rita)
        _ = try await addReviewer("rolf@example.com", to: fixture)
        let before = try await fixture.picture()
        for step: () async throws -> Void in [
            { _ = try await fixture.reviews.claim(own.id, by: rita) },
            { _ = try await fixture.reviews.decide(.approve, on: item, by: rita) },
        ] {
            let refusal = await fixture.refusal(step)
            #expect(refusal?.kind == .forbidden)
            #expect(refusal?.rule == "ownSubmission")
            #expect(refusal?.help.contains("somebody else") == true)
        }
        #expect(try await fixture.picture() == before)
        // Whoever owns the machine may do all of it.
        let machine = try await fixture.reviews.submit(
            [ReviewFixture.chapter], of: fixture.app.id, by: .machine)
        let claimed = try await fixture.reviews.claim(machine.id, by: .machine)
        let decided = try await fixture.reviews.decide(
            .approve, on: try #require(claimed.items.first).id, by: .machine)
        #expect(decided.state == .complete)
    }

    @Test func `what one reviewer has claimed another decides after taking it over`() async throws {
        let fixture = try await ReviewFixture()
        let claimed = try await fixture.claim(fixture.submit(ReviewFixture.badge))
        let item = try #require(claimed.items.first).id
        let refusal = await fixture.refusal {
            _ = try await fixture.reviews.decide(.approve, on: item, by: fixture.colleague)
        }
        #expect(refusal?.rule == "claimedByOther")
        #expect(refusal?.problem.contains("person2@example.com") == true)
        let taken = try await fixture.reviews.claim(claimed.id, by: fixture.colleague)
        #expect(taken.claimant == ReviewParty(fixture.colleague))
        _ = try await fixture.reviews.decide(.approve, on: item, by: fixture.colleague)
        let again = await fixture.refusal {
            _ = try await fixture.reviews.decide(.approve, on: item, by: fixture.colleague)
        }
        #expect(again?.rule == "submissionState")
    }

    @Test func `nothing is decided before it is claimed`() async throws {
        let fixture = try await ReviewFixture()
        let waiting = try await fixture.submit(ReviewFixture.badge)
        let refusal = await fixture.refusal { try await fixture.decide(.approve, in: waiting) }
        #expect(refusal?.rule == "submissionState")
        #expect(refusal?.help.contains("Claim") == true)
    }

    @Test func `each step is in the audit log of its team`() async throws {
        let fixture = try await ReviewFixture()
        try await fixture.decide(
            .reject("No."), in: fixture.claim(fixture.submit(ReviewFixture.badge)))
        let team = fixture.app.teamID
        let entries = try await fixture.store.database.read {
            try $0.audit.entries(team: team, before: nil, limit: 3).map(\.entry)
        }
        try #require(
            entries.map(\.action) == ["product.reject", "product.beginReview", "product.submit"])
        #expect(entries.allSatisfy { $0.subject == SampleShop.badge })
        #expect(entries[0].actor == "person2@example.com")
        #expect(entries[0].before == "IN_REVIEW")
        #expect(entries[0].after == "REJECTED: No.")
        #expect(entries[2].actor == "person1@example.com")
    }
}
