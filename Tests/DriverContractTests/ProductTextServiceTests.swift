import Foundation
import StoreCore
import StoreModel
import Testing

/// Texts of products and their revisions, over every driver.
@Suite(.usesDrivers) struct ProductTextServiceTests {
    @Test(arguments: StoreDriver.all)
    func `customers read what was approved until the next revision is`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        try await shop.approve(number)
        let edited = try await shop.products.updateText(
            title: "More coins", locale: "en_US", of: number, by: shop.actor())
        #expect(edited.state == .approved)
        #expect(edited.openRevision?.number == 2)
        #expect(edited.openRevision?.state == .readyForReview)
        #expect(edited.textState("en_US") == .readyForReview)
        func title(_ environment: StoreEnvironment) async throws -> String? {
            let record = try await shop.record(number)
            return record?.product.text(in: .unitedStates, environment: environment).title
        }
        #expect(try await title(.production) == "Coins")
        #expect(try await title(.sandbox) == "More coins")
        let other = try await shop.products.addText(
            ProductText(title: "Münzen", description: "Hundert."), locale: "de-DE", to: number,
            by: shop.actor())
        #expect(other.openRevision?.number == 2, "one revision gathers all changes")
        try await shop.approve(number)
        #expect(try await title(.production) == "More coins")
        let revisions = try await shop.products.revisions(of: number, by: shop.actor())
        #expect(revisions.map(\.state) == [.approved, .replaced])
        #expect(revisions.last?.texts["en_US"]?.title == "Coins")
        #expect(try await shop.record(number)?.textState("de_DE") == .approved)
    }

    @Test(arguments: StoreDriver.all)
    func `what was approved before there were revisions is the first one`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let products = shop.products
        let chapter = try await products.product(
            SeededShop.chapter.text, of: shop.shop.app.id, by: shop.actor())
        #expect(chapter.openRevision == nil && chapter.revisionOnSale == nil)
        let edited = try await products.updateText(
            title: "Chapter", description: "About it.", locale: "en_US", of: chapter.number,
            by: shop.actor())
        #expect(edited.revisionOnSale?.number == 1)
        #expect(edited.revisionOnSale?.texts["en_US"]?.title == "Title")
        #expect(edited.openRevision?.number == 2)
        #expect(edited.product.approvedTexts?["en_US"]?.title == "Title")
    }

    @Test(
        arguments: StoreDriver.one,
        [ProductState.waitingForReview, .inReview, .pendingBinaryApproval])
    func `what reviewers have before them does not change`(
        driver: StoreDriver, state: ProductState
    ) async throws {
        let shop = try await ProductShop(driver)
        let record = try await shop.complete()
        let number = record.number
        try await shop.database.write {
            try $0.catalog.setState(state, of: record.id, in: record.summary.app)
        }
        let actor = shop.actor()
        try await shop.expectRefusal(by: "productState") {
            try await shop.products.updateText(
                title: "Other", locale: "en_US", of: number, by: actor)
        }
        try await shop.expectRefusal(by: "productState") {
            try await shop.products.update(number, ProductChange(reviewNote: "Other"), by: actor)
        }
        try await shop.expectRefusal(by: "productState") { try await shop.screenshot(of: number) }
        try await shop.expectRefusal(by: "productState") {
            try await shop.products.delete(number, by: actor)
        }
        // The reference name and the prices are nothing that they look at.
        _ = try await shop.products.update(
            number, ProductChange(referenceName: "Other"), by: actor)
        let priced = try await shop.products.setPrices(
            PriceSchedule(tier: "2"), of: number, by: actor)
        #expect(priced.state == state)
    }

    @Test(arguments: StoreDriver.all)
    func `a revision with the reviewers does not change, and one that they rejected does`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        try await shop.approve(number)
        let edited = try await shop.products.updateText(
            title: "Other", locale: "en_US", of: number, by: shop.actor())
        let open = try #require(edited.openRevision?.id)
        func set(_ state: RevisionState) async throws {
            try await shop.database.write {
                try $0.revisions.setState(state, of: open, at: SeededShop.date)
            }
        }
        for state in [RevisionState.waitingForReview, .inReview, .accepted] {
            try await set(state)
            try await shop.expectRefusal(by: "revisionState") {
                try await shop.products.updateText(
                    title: "Third", locale: "en_US", of: number, by: shop.actor())
            }
        }
        try await shop.database.write {
            try $0.catalog.setState(
                .developerRemovedFromSale, of: edited.id, in: edited.summary.app)
        }
        try await shop.expectRefusal(by: "revisionState") {
            try await shop.products.delete(number, by: shop.actor())
        }
        for state in [RevisionState.rejected, .developerRejected] {
            try await set(state)
            let again = try await shop.products.updateText(
                title: "Third \(state.rawValue)".lowercased(), locale: "en_US", of: number,
                by: shop.actor())
            #expect(again.openRevision?.id == open)
            #expect(again.openRevision?.state == .readyForReview)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `texts are added once for a language, and the last of a product on sale stays`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        let text = ProductText(title: "Coins", description: "About.")
        try await shop.expectRefusal(by: "localeTaken") {
            try await shop.products.addText(
                text, locale: "en-US", to: number, by: shop.actor())
        }
        try await shop.expectRefusal(by: "notFound") {
            try await shop.products.updateText(
                title: "Münzen", locale: "de_DE", of: number, by: shop.actor())
        }
        try await shop.expectRefusal(by: "notFound") {
            try await shop.products.deleteText(locale: "de_DE", of: number, by: shop.actor())
        }
        try await shop.approve(number)
        try await shop.expectRefusal(by: "lastText") {
            try await shop.products.deleteText(locale: "en_US", of: number, by: shop.actor())
        }
    }
}
