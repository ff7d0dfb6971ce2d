import Foundation
import StoreModel
import Testing

@testable import StoreWire

/// The files in `Fixtures` have the shapes that Xcode wrote over the years.
@Suite("StoreKit configuration")
struct StoreKitConfigurationTests {
    private func fixture(_ version: String) throws -> StoreKitConfiguration {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/version-\(version).storekit")
        return try StoreKitConfiguration(data: Data(contentsOf: file))
    }

    @Test(arguments: ["1.0", "1.1", "1.2", "2.0", "3.0", "4.0", "5.0"])
    func `each version that Xcode wrote is read`(_ version: String) throws {
        let file = try fixture(version)
        #expect("\(file.version.major).\(file.version.minor)" == version)
        #expect(!file.items.isEmpty)
    }

    @Test func `a product of 1.0 has type, price and texts`() throws {
        let file = try fixture("1.0")
        #expect(
            file.items == [
                StoreKitConfiguration.Item(
                    productID: ProductID("com.example.coins")!, type: .consumable,
                    referenceName: "coins", isFamilyShareable: false,
                    texts: [.init(locale: "en_US", title: "Coins", description: "A hundred coins")],
                    thousandths: 990, subscription: nil)
            ])
        #expect(file.storefront == .unitedStates)
        #expect(file.locale == "en_US")
    }

    @Test func `1.1 brings non-renewing subscriptions and code offers`() throws {
        let file = try fixture("1.1")
        #expect(file.ignoredSettings.isEmpty)
        try #require(
            file.items.map(\.type) == [.nonRenewingSubscription, .autoRenewableSubscription])
        #expect(file.items[0].referenceName == "com.example.season")
        #expect(file.items[1].isFamilyShareable)
        #expect(
            file.items[1].subscription
                == SubscriptionTerms(
                    groupID: "D7C4B1A0", groupName: "Pro", level: 1,
                    period: SubscriptionPeriod(unit: .month, count: 1),
                    offers: [
                        SubscriptionOffer(
                            kind: .code, identifier: "spring", paymentMode: .payAsYouGo,
                            period: SubscriptionPeriod(unit: .month, count: 1), periodCount: 3,
                            thousandths: 990, territory: "USA", customers: [.new, .existing],
                            isStackable: true)
                    ]))
    }

    @Test func `prices are in the currency of the storefront in the settings`() throws {
        let file = try fixture("1.2")
        #expect(file.storefront.code == "JPN")
        #expect(file.locale == "ja")
        #expect(file.items.first?.thousandths == 120_000)
        #expect(file.items.first?.texts.map(\.title) == ["The first chapter", "第一章"])
    }

    @Test func `2.0 has introductory and promotional offers with prices`() throws {
        let terms = try #require(try fixture("2.0").items.first?.subscription)
        #expect(terms.level == 2)
        #expect(terms.offers.map(\.kind) == [.introductory, .promotional])
        #expect(terms.offers.map(\.identifier) == [nil, "half.year.off"])
        #expect(terms.offers.map(\.paymentMode) == [.payAsYouGo, .payUpFront])
        #expect(terms.offers.map(\.period.iso8601) == ["P1M", "P1Y"])
        #expect(terms.offers.map(\.periodCount) == [2, 1])
        #expect(terms.offers.map(\.thousandths) == [990, 9990])
    }

    @Test func `a free offer of 3.0 has no price and counts one period`() throws {
        let file = try fixture("3.0")
        #expect(file.storefront.currency == "EUR")
        let terms = try #require(file.items.last?.subscription)
        #expect(terms.offers.map(\.kind) == [.introductory, .winBack])
        #expect(terms.offers.map(\.identifier) == [nil, "come.back"])
        #expect(terms.offers.map(\.thousandths) == [0, 0])
        #expect(terms.offers.map(\.periodCount) == [1, 1])
        #expect(terms.offers.map(\.period.iso8601) == ["P1W", "P2W"])
    }

    @Test func `4.0 may have policies and no settings`() throws {
        let file = try fixture("4.0")
        #expect(file.storefront == .unitedStates)
        #expect(file.locale == "en_US")
        #expect(file.items.first?.thousandths == 1000)
        #expect(file.items.first?.texts.map(\.locale) == ["en_US", "zh_Hans", "ar"])
    }

    /// Those of a plan that is paid monthly are not sold, as the plan is not.
    @Test func `5.0 has billing plans with offers, and texts of groups`() throws {
        let file = try fixture("5.0")
        #expect(
            file.ignoredSettings == ["_disableDialogs", "billingPlans of com.example.plus.year"])
        let terms = try #require(file.items.first?.subscription)
        #expect(terms.groupName == "Notes Plus")
        #expect(terms.offers.map(\.kind) == [.introductory])
        #expect(terms.offers.map(\.paymentMode) == [.freeTrial])
        #expect(terms.offers.map(\.period.iso8601) == ["P3D"])
        #expect(terms.offers.map(\.thousandths) == [0])
    }
}
