import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Whatever happens to reviews, what is counted is what there is.
@Suite(.usesDrivers) struct ReviewCountTests {
    @Test(arguments: StoreDriver.all, [1, 2, 3, 4])
    func `the counts are those of a recount after any steps`(
        driver: StoreDriver, seed: UInt64
    ) async throws {
        let fixture = try await ItemSaleFixture(
            driver, settings: StorefrontSettings(heldWords: ["scam"]))
        var random = SeededRandom(seed: seed)
        let items = [fixture.app, fixture.book]
        var accounts: [Account] = []
        let storefronts = ["USA", "JPN", "DEU"].compactMap { Storefront.named($0) }
        for number in 0..<8 {
            let environment: StoreEnvironment = number % 4 == 3 ? .sandbox : .production
            let account = try await fixture.customer(
                number, with: fixture.app, in: environment, storefront: storefronts[number % 3])
            let book = ItemSaleDraft(
                item: fixture.book, environment: environment, account: account.id,
                storefront: account.storefront, price: ItemSaleFixture.price,
                date: SeededShop.date)
            try await fixture.database.write { _ = try $0.itemSales.insert(book) }
            accounts.append(account)
        }
        for step in 0..<150 {
            let item = items[random.below(items.count)]
            let account = accounts[random.below(accounts.count)]
            fixture.clock.advance(by: 1)
            try await take(random.below(10), item, account, accounts, fixture, &random)
            if step % 10 == 9 { try await check(items, accounts, storefronts, fixture) }
        }
    }

    private func take(
        _ step: Int, _ item: ItemID, _ account: Account, _ accounts: [Account],
        _ fixture: ItemSaleFixture, _ random: inout SeededRandom
    ) async throws {
        let own = try await fixture.reviews.own(on: item, by: account)
        switch step {
        case 0...3:
            let bodies = ["", "Good.", "A scam.", "See example.com", "Very good."]
            let body = bodies[random.below(bodies.count)]
            let rating = 1 + random.below(5)
            _ = try await fixture.reviews.write(
                ReviewDraft(rating: rating, body: body, nickname: "Someone"), on: item,
                by: account)
        case 4: try await fixture.reviews.remove(on: item, by: account)
        case 5, 6:
            guard let own else { return }
            _ = try await fixture.reviews.decide(
                own.id, publish: random.chance(60), reason: "Spam", by: ItemSaleFixture.reviewer)
        case 7:
            guard let own, own.state == .published, item == fixture.app else { return }
            _ = try await fixture.reviews.respond(
                to: own.id, text: random.chance(50) ? "Thank you." : nil,
                by: fixture.member(.customerSupport))
        case 8:
            let voter = accounts[random.below(accounts.count)]
            guard let own, own.state == .published, voter.environment == own.environment,
                voter.id != own.account
            else { return }
            try await fixture.reviews.vote(random.chance(50), on: own.id, by: voter)
        default:
            let version = "1.\(random.below(3))"
            try await fixture.database.write { repositories in
                var app = try #require(try repositories.items.item(item))
                app.details.facts.version = version
                try repositories.items.update(app, at: SeededShop.date)
            }
        }
    }

    private func check(
        _ items: [ItemID], _ accounts: [Account], _ storefronts: [Storefront],
        _ fixture: ItemSaleFixture
    ) async throws {
        for item in items {
            var all: [CustomerReview] = []
            for account in accounts {
                if let own = try await fixture.reviews.own(on: item, by: account) {
                    all.append(own)
                }
            }
            for environment in StoreEnvironment.allCases {
                let shown = all.filter {
                    $0.state == .published && $0.environment == environment
                }
                #expect(
                    try await fixture.reviews.summary(of: item, environment: environment).counts
                        == Self.counts(shown))
                for version in ["1.0", "1.1", "1.2"] {
                    let summary = try await fixture.reviews.summary(
                        of: item, version: version, environment: environment)
                    #expect(summary.counts == Self.counts(shown.filter { $0.version == version }))
                }
                for storefront in [nil] + storefronts.map(Optional.some) {
                    let page = try await fixture.reviews.reviews(
                        of: item, in: storefront, by: .mostRecent, page: 1, size: 100,
                        environment: environment)
                    let listed = shown.filter {
                        $0.hasText && (storefront == nil || $0.storefront == storefront)
                    }
                    #expect(page.total == listed.count)
                    #expect(Set(page.reviews) == Set(listed))
                }
            }
        }
    }

    private static func counts(_ reviews: [CustomerReview]) -> [Int] {
        (1...5).map { stars in reviews.count { $0.rating == stars } }
    }
}
