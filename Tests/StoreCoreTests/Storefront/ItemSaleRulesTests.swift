import Foundation
@testable import StoreCore
import StoreModel
import Testing

@Suite struct ItemSaleRulesTests {
    private static let price = Money(thousandths: 990, currency: "USD")

    private static func order(
        _ environment: StoreEnvironment = .sandbox,
        _ change: (inout ItemOrderSituation) -> Void = { _ in }
    ) -> ItemOrderSituation {
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        var details = ItemDetails(kind: .ebook, title: "A book", genres: [9031])
        details.prices = ItemPrices(own: ["USA": 990, "JPN": 120_000])
        var order = ItemOrderSituation(
            item: Item(
                id: ItemID(number: 7), team: 1, details: details, state: .onSale, created: date,
                changed: date),
            account: Account(
                id: AccountID(number: 1), environment: environment, email: "ada@example.com",
                passwordHash: "", storefront: .unitedStates),
            settings: AccountSettings(), expected: price, hasPaidAgreement: true,
            hasFile: true)
        change(&order)
        return order
    }

    @Test func `what is on sale is sold at its price`() {
        #expect(ItemSaleRules.price(Self.order()) == .success(Self.price))
        #expect(ItemSaleRules.price(Self.order(.production)) == .success(Self.price))
    }

    static let refused: [(ItemOrderSituation, ItemSaleRefusal)] = [
        (order { $0.item.state = .draft }, .itemUnknown(ItemID(number: 7))),
        (order { $0.item.state = .removed }, .notForSale),
        (
            order { $0.item.details.prices = ItemPrices(own: ["JPN": 1000]) },
            .notInStorefront(.unitedStates)
        ),
        (
            order { $0.item.details.prices.storefronts = ["JPN"] },
            .notInStorefront(.unitedStates)
        ),
        (order { $0.hasPaidAgreement = false }, .obstacle(.noPaidAgreement)),
        (order { $0.hasFile = false }, .obstacle(.nothingToFetch)),
        (order { $0.expected.thousandths = 980 }, .priceChanged(price)),
        (order { $0.expected.currency = "CAD" }, .priceChanged(price)),
        (order { $0.settings.paymentFailure = .next }, .paymentDeclined),
        (order { $0.settings.paymentFailure = .all }, .paymentDeclined),
        (order { $0.settings.asksToBuy = true }, .asksToBuy),
        (order(.production) { $0.settings.asksToBuy = true }, .asksToBuy),
        (order { $0.settings.interruptsPurchases = true }, .interrupted),
        // What is wrong with the item is said first.
        (
            order {
                $0.settings = AccountSettings(asksToBuy: true, paymentFailure: .all)
                $0.item.state = .removed
            }, .notForSale
        ),
    ]

    @Test(arguments: refused)
    func `each rule refuses with a sentence`(
        order: ItemOrderSituation, refusal: ItemSaleRefusal
    ) {
        #expect(ItemSaleRules.price(order) == .failure(refusal))
        #expect(refusal.description.hasSuffix("."))
    }

    @Test func `apps and podcasts are sold without a file of the storefront`() {
        let app = Self.order {
            $0.hasFile = false
            $0.item.details.app = AppID(number: 7)
        }
        let podcast = Self.order {
            $0.hasFile = false
            $0.item.details.kind = .podcast
            $0.item.details.facts.feedURL = "https://example.com/feed"
        }
        #expect(ItemSaleRules.price(app) == .success(Self.price))
        #expect(ItemSaleRules.price(podcast) == .success(Self.price))
    }

    @Test func `what is free needs no agreement, no file and no payment, but a yes`() {
        let free = Money(thousandths: 0, currency: "USD")
        func order(_ settings: AccountSettings) -> ItemOrderSituation {
            Self.order {
                $0.item.details.prices = .free
                $0.expected = free
                $0.hasPaidAgreement = false
                $0.hasFile = false
                $0.settings = settings
            }
        }
        #expect(ItemSaleRules.price(order(AccountSettings())) == .success(free))
        #expect(
            ItemSaleRules.price(order(AccountSettings(paymentFailure: .all))) == .success(free))
        #expect(
            ItemSaleRules.price(order(AccountSettings(asksToBuy: true))) == .failure(.asksToBuy))
    }

    @Test func `payments of customers are never declined on purpose`() {
        let order = Self.order(.production) { $0.settings.paymentFailure = .all }
        #expect(ItemSaleRules.price(order) == .success(Self.price))
    }
}
