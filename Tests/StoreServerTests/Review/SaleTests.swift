import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

/// Taking products from sale, and putting them back.
@Suite struct SaleTests {
    @Test func `the publisher takes a product from sale and puts it back`() async throws {
        let stage = try await ReviewStage(isApproved: true)
        let number = try await stage.number(ReviewStage.badge)
        try await stage.sale.setSale(false, of: number, by: stage.publisher)
        #expect(try await stage.state() == .developerRemovedFromSale)
        #expect(try await !stage.isSold(ReviewStage.badge))
        let twice = await stage.refusal {
            try await stage.sale.setSale(false, of: number, by: stage.publisher)
        }
        #expect(twice?.help.contains("off sale already") == true)
        try await stage.sale.setSale(true, of: number, by: stage.publisher)
        #expect(try await stage.isSold(ReviewStage.badge))
        let changes = try await stage.sale.changes(of: number, by: stage.publisher)
        #expect(changes.map(\.step) == [.returnToSale, .removeFromSale])
    }

    @Test func `what the store took down its publisher can't put back`() async throws {
        let stage = try await ReviewStage(isApproved: true)
        let number = try await stage.number(ReviewStage.badge)
        let mute = await stage.refusal {
            try await stage.sale.takeDown(number, reason: " ", by: stage.operator)
        }
        #expect(mute?.rule == "reasonMissing")
        try await stage.sale.takeDown(number, reason: "A complaint.", by: stage.operator)
        #expect(try await stage.state() == .removedFromSale)
        let refusal = await stage.refusal {
            try await stage.sale.setSale(true, of: number, by: stage.publisher)
        }
        #expect(refusal?.help.contains("ask its staff") == true)
        let changes = try await stage.sale.changes(of: number, by: stage.publisher)
        #expect(changes.map(\.reason) == ["A complaint."])
        try await stage.sale.reinstate(number, by: stage.operator)
        #expect(try await stage.isSold(ReviewStage.badge))
    }

    @Test func `what was off sale before goes back there`() async throws {
        let stage = try await ReviewStage(isApproved: true)
        let number = try await stage.number(ReviewStage.badge)
        try await stage.sale.setSale(false, of: number, by: stage.publisher)
        try await stage.sale.takeDown(number, reason: "A complaint.", by: stage.operator)
        try await stage.sale.reinstate(number, by: stage.operator)
        #expect(try await stage.state() == .developerRemovedFromSale)
        let again = await stage.refusal {
            try await stage.sale.reinstate(number, by: stage.operator)
        }
        #expect(again?.rule == "productState")
    }

    @Test func `hosting completes nothing, and changes nothing that was sent back`() async throws {
        let stage = try await ReviewStage()
        let chapter = try await stage.number(ReviewStage.chapter)
        let hosting = stage.store.services.hosting
        func switchOnAndOff() async throws -> ProductState {
            _ = try await hosting.setHosting(true, of: chapter, by: stage.publisher)
            return try await hosting.setHosting(false, of: chapter, by: stage.publisher).state
        }
        for (title, decision) in [
            ("One", ReviewDecision.reject("No.")), ("Two", .askDeveloper("What is it?")),
        ] {
            let submission = try await stage.claim(stage.submit(ReviewStage.chapter))
            try await stage.decide(decision, ReviewStage.chapter, in: submission)
            let sentBack = try await stage.state(ReviewStage.chapter)
            #expect(try await switchOnAndOff() == sentBack)
            try await stage.rename(ReviewStage.chapter, title)
            #expect(try await switchOnAndOff() == .readyToSubmit)
        }
        _ = try await stage.products.setAvailability(
            .only([]), of: chapter, by: stage.publisher)
        #expect(try await switchOnAndOff() == .missingMetadata)
        _ = try await hosting.setHosting(true, of: chapter, by: stage.publisher)
        try await stage.addContent("1.0")
        #expect(try await stage.state(ReviewStage.chapter) == .missingMetadata)
        _ = try await stage.products.setAvailability(
            .everywhere, of: chapter, by: stage.publisher)
        #expect(try await stage.state(ReviewStage.chapter) == .readyToSubmit)
    }

    @Test func `hosting is switched for a product that was never on sale`() async throws {
        let stage = try await ReviewStage()
        let hosting = stage.store.services.hosting
        let chapter = try await stage.number(ReviewStage.chapter)
        var record = try await hosting.setHosting(true, of: chapter, by: stage.publisher)
        #expect(record.state == .waitingForUpload)
        record = try await hosting.setHosting(false, of: chapter, by: stage.publisher)
        #expect(record.state == .readyToSubmit)
        let credits = try await stage.number(ReviewStage.credits)
        let refusal = await stage.refusal {
            _ = try await hosting.setHosting(true, of: credits, by: stage.publisher)
        }
        #expect(refusal?.problem.contains("only non-consumable") == true)
    }
}
