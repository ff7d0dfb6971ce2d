import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Taking products from sale, and putting them back.
@Suite struct SaleTests {
    @Test func `the publisher takes a product from sale and puts it back`() async throws {
        let fixture = try await ReviewFixture(isApproved: true)
        let number = try await fixture.number(ReviewFixture.badge)
        try await fixture.sale.setSale(false, of: number, by: fixture.publisher)
        #expect(try await fixture.state() == .developerRemovedFromSale)
        #expect(try await !fixture.isSold(ReviewFixture.badge))
        let twice = await fixture.refusal {
            try await fixture.sale.setSale(false, of: number, by: fixture.publisher)
        }
        #expect(twice?.help.contains("off sale already") == true)
        try await fixture.sale.setSale(true, of: number, by: fixture.publisher)
        #expect(try await fixture.isSold(ReviewFixture.badge))
        let changes = try await fixture.sale.changes(of: number, by: fixture.publisher)
        #expect(changes.map(\.step) == [.returnToSale, .removeFromSale])
    }

    @Test func `what the store took down its publisher can't put back`() async throws {
        let fixture = try await ReviewFixture(isApproved: true)
        let number = try await fixture.number(ReviewFixture.badge)
        for reason in [" ", "A\0complaint."] {
            let refusal = await fixture.refusal {
                try await fixture.sale.takeDown(number, reason: reason, by: fixture.operator)
            }
            #expect(refusal?.rule == "reasonMissing")
        }
        try await fixture.sale.takeDown(number, reason: "A complaint.\r\n", by: fixture.operator)
        #expect(try await fixture.state() == .removedFromSale)
        let refusal = await fixture.refusal {
            try await fixture.sale.setSale(true, of: number, by: fixture.publisher)
        }
        #expect(refusal?.help.contains("ask its staff") == true)
        let changes = try await fixture.sale.changes(of: number, by: fixture.publisher)
        #expect(changes.map(\.reason) == ["A complaint."])
        try await fixture.sale.reinstate(number, by: fixture.operator)
        #expect(try await fixture.isSold(ReviewFixture.badge))
    }

    @Test func `what was off sale before goes back there`() async throws {
        let fixture = try await ReviewFixture(isApproved: true)
        let number = try await fixture.number(ReviewFixture.badge)
        try await fixture.sale.setSale(false, of: number, by: fixture.publisher)
        try await fixture.sale.takeDown(number, reason: "A complaint.", by: fixture.operator)
        try await fixture.sale.reinstate(number, by: fixture.operator)
        #expect(try await fixture.state() == .developerRemovedFromSale)
        let again = await fixture.refusal {
            try await fixture.sale.reinstate(number, by: fixture.operator)
        }
        #expect(again?.rule == "productState")
    }

    @Test func `hosting completes nothing, and changes nothing that was sent back`() async throws {
        let fixture = try await ReviewFixture()
        let chapter = try await fixture.number(ReviewFixture.chapter)
        let hosting = fixture.store.services.hosting
        func switchOnAndOff() async throws -> ProductState {
            _ = try await hosting.setHosting(true, of: chapter, by: fixture.publisher)
            return try await hosting.setHosting(false, of: chapter, by: fixture.publisher).state
        }
        for (title, decision) in [
            ("One", ReviewDecision.reject("No.")), ("Two", .askDeveloper("What is it?")),
        ] {
            let submission = try await fixture.claim(fixture.submit(ReviewFixture.chapter))
            try await fixture.decide(decision, ReviewFixture.chapter, in: submission)
            let sentBack = try await fixture.state(ReviewFixture.chapter)
            #expect(try await switchOnAndOff() == sentBack)
            try await fixture.rename(ReviewFixture.chapter, title)
            #expect(try await switchOnAndOff() == .readyToSubmit)
        }
        _ = try await fixture.products.setAvailability(
            .only([]), of: chapter, by: fixture.publisher)
        #expect(try await switchOnAndOff() == .missingMetadata)
        _ = try await hosting.setHosting(true, of: chapter, by: fixture.publisher)
        try await fixture.addContent("1.0")
        #expect(try await fixture.state(ReviewFixture.chapter) == .missingMetadata)
        _ = try await fixture.products.setAvailability(
            .everywhere, of: chapter, by: fixture.publisher)
        #expect(try await fixture.state(ReviewFixture.chapter) == .readyToSubmit)
    }

    @Test func `hosting is switched for a product that was never on sale`() async throws {
        let fixture = try await ReviewFixture()
        let hosting = fixture.store.services.hosting
        let chapter = try await fixture.number(ReviewFixture.chapter)
        var record = try await hosting.setHosting(true, of: chapter, by: fixture.publisher)
        #expect(record.state == .waitingForUpload)
        record = try await hosting.setHosting(false, of: chapter, by: fixture.publisher)
        #expect(record.state == .readyToSubmit)
        let credits = try await fixture.number(ReviewFixture.credits)
        let refusal = await fixture.refusal {
            _ = try await hosting.setHosting(true, of: credits, by: fixture.publisher)
        }
        #expect(refusal?.problem.contains("only non-consumable") == true)
    }
}
