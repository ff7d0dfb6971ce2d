import Foundation
@testable import StoreKit
import StoreWire
import Testing

/// Products that this store does not sell, read from JSON that another may send.
struct ProductBundleTests {
    private static let part = """
        {"offerName":"com.example.news","name":"News","description":{"standard":"All of it"},
        "isFamilyShareable":1,"subscriptionFamilyId":"31","subscriptionFamilyName":"Paper",
        "subscriptionFamilyRank":2,"offers":[{"priceString":"4.99"}]}
        """

    /// A bundle with two subscriptions, for a year, paid at once or every month.
    private static let bundle = JSONValue.written(
        """
        {"id":"7","type":"in-apps","attributes":{"offerName":"com.example.bundle",
        "kind":"Subscription Bundle","name":"All","icuLocale":"en_US@currency=USD",
        "subscriptionFamilyId":"21","offers":[{"priceString":"96","billingPlanType":
        "BILLED_UPFRONT","recurringSubscriptionPeriod":"P1Y"},{"priceString":"9.99",
        "billingPlanType":"MONTHLY","recurringSubscriptionPeriod":"P1M","commitmentInfo":{
        "priceString":"119.88","recurringSubscriptionPeriod":"P1Y"},"discounts":[{
        "type":"IntroOffer","modeType":"FreeTrial","priceString":"0",
        "recurringSubscriptionPeriod":"P1W"}]}],
        "bundledSubscriptions":[\(part),\(part)]}}
        """)

    private static func product(
        _ key: String? = nil, _ value: JSONValue? = nil
    ) throws -> Product {
        var attributes: JSONValue = bundle["attributes"] ?? .null
        if let key { attributes = attributes.with(key, value) }
        return try Product(JSONBacking(bundle.with("attributes", attributes).encoded()))
    }

    @Test(arguments: [
        ("Subscription Bundle", Product.ProductType.subscriptionBundle),
        ("Subscription Suite", .subscriptionSuite),
    ])
    func `a bundle is a subscription with others in it`(
        _ kind: String, _ type: Product.ProductType
    ) throws {
        let product = try Self.product("kind", .string(kind))
        #expect(product.type == type && product.displayPrice == "$96.00")
        let subscription = try #require(product.subscription)
        #expect(subscription.subscriptionPeriod == .yearly)
        #expect(subscription.bundledSubscriptions.count == 2)
        let part = try #require(subscription.bundledSubscriptions.first)
        #expect(part.id == "com.example.news" && part.displayName == "News")
        #expect(part.description == "All of it" && part.isFamilyShareable)
        #expect(part.price == Decimal(string: "4.99") && part.displayPrice == "$4.99")
        #expect(part.subscriptionGroupID == "31" && part.subscriptionGroupLevel == 2)
        #expect(part.subscriptionGroupDisplayName == "Paper")
        #expect(subscription.bundledSubscriptions.last == part)
    }

    @Test func `terms that are paid in parts say what the customer commits to`() throws {
        let terms = try #require(try Self.product().subscription).pricingTerms
        #expect(terms.map(\.billingPlanType) == [.upFront, .monthly])
        #expect(terms.map(\.billingPeriod) == [.yearly, .monthly])
        #expect(terms.map(\.billingDisplayPrice) == ["$96.00", "$9.99"])
        #expect(terms.map(\.commitmentInfo.displayPrice) == ["$96.00", "$119.88"])
        #expect(terms.map(\.commitmentInfo.price) == [96, Decimal(string: "119.88")])
        #expect(terms.map(\.commitmentInfo.period) == [.yearly, .yearly])
        #expect(terms.map { $0[offers: .introductory].count } == [0, 1])
    }

    @Test func `other products have nothing in them`() throws {
        let alone = try Self.product("bundledSubscriptions", nil)
        #expect(alone.subscription?.bundledSubscriptions == [])
        let badge = try Self.product("kind", "Non-Consumable")
        #expect(badge.subscription == nil)
    }

    /// What is no list of subscriptions, or has something else in it.
    private static let damaged: [JSONValue] = [
        .null, "x", 1, true, [:], [1, "x", .null, [:]],
        [["offerName": "a", "subscriptionFamilyId": "1"]],
        [["offerName": "a", "subscriptionFamilyId": 1, "offers": [["price": 1]]]],
        [["offerName": [], "subscriptionFamilyId": "1", "offers": [["price": 1]]]],
        [["offerName": "a", "subscriptionFamilyId": "1", "offers": [["price": .number(1e300)]]]],
        [["offerName": "a", "subscriptionFamilyId": "1", "offers": [["price": -1]]]],
    ]

    @Test(arguments: damaged)
    func `what is no subscription is left out of a bundle`(_ value: JSONValue) throws {
        let product = try Self.product("bundledSubscriptions", value)
        #expect(product.subscription?.bundledSubscriptions == [])
    }

    @Test func `a level that no number holds is none`() throws {
        let part = JSONValue.written(Self.part).with("subscriptionFamilyRank", .number(1e300))
        let product = try Self.product("bundledSubscriptions", [part])
        let levels = product.subscription?.bundledSubscriptions.map(\.subscriptionGroupLevel)
        #expect(levels == [0])
    }

    @Test func `a plan that the product does not have is not bought`() async throws {
        let yearly = try Self.product(
            "offers",
            .written(
                #"""
                [{"priceString":"96","recurringSubscriptionPeriod":"P1Y"}]
                """#))
        await #expect {
            try await PaymentEngine.current.purchase(yearly, options: [.billingPlanType(.monthly)])
        } throws: { error in
            if case StoreKitError.unsupported = error { true } else { false }
        }
        let options = try StoreKit.PurchaseOptions([.billingPlanType(.monthly)])
        #expect(options.namesPlan(of: try Self.product()) && !options.namesPlan(of: yearly))
        let upFront = try StoreKit.PurchaseOptions([.billingPlanType(.upFront)])
        #expect(upFront.namesPlan(of: yearly))
    }
}
