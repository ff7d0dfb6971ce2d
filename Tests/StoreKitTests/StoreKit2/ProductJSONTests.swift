import Foundation
@testable import StoreKit
import StoreModel
import StoreWire
import Testing

struct ProductJSON {
    private static let monthly = WireProduct(
        productId: "com.example.monthly", type: "Auto-Renewable Subscription", title: "月額",
        description: "“Pro”", price: Money(thousandths: 9990, currency: "USD"), locale: "en_US",
        familyShareable: true, content: nil,
        subscription: SubscriptionTerms(
            groupID: "21", groupName: "Pro", level: 2,
            period: StoreModel.SubscriptionPeriod(unit: .month, count: 1),
            offers: [
                offer(.introductory, nil, .freeTrial, .week, 1, 0),
                offer(.promotional, "spring", .payAsYouGo, .month, 3, 4990),
                offer(.winBack, "back", .payUpFront, .year, 1, 50_000),
                offer(.code, "newspaper", .freeTrial, .month, 1, 0),
            ]), number: 1_234_567_890)

    private static func offer(
        _ kind: StoreModel.SubscriptionOffer.Kind, _ identifier: String?,
        _ mode: StoreModel.SubscriptionOffer.PaymentMode,
        _ unit: StoreModel.SubscriptionPeriod.Unit, _ count: Int, _ thousandths: Int64
    ) -> StoreModel.SubscriptionOffer {
        StoreModel.SubscriptionOffer(
            kind: kind, identifier: identifier, paymentMode: mode,
            period: StoreModel.SubscriptionPeriod(unit: unit, count: 1), periodCount: count,
            thousandths: thousandths)
    }

    @Test func `the JSON has the keys of the App Store's catalogue`() throws {
        let product = try Product(Self.monthly, storefront: "USA")
        let json = String(decoding: product.jsonRepresentation, as: UTF8.self)
        let expected = #"""
            {"attributes":{"description":{"standard":"“Pro”"},"icuLocale":"en_US@currency=USD",
            "isFamilyShareable":1,"isSubscription":1,"kind":"Auto-Renewable Subscription",
            "name":"月額","offerName":"com.example.monthly","offers":[{
            "billingPlanType":"BILLED_UPFRONT","currencyCode":"USD","discounts":[
            {"modeType":"FreeTrial","numOfPeriods":1,"price":0,"priceFormatted":"$0.00",
            "priceString":"0","recurringSubscriptionPeriod":"P1W","type":"IntroOffer"},
            {"modeType":"PayAsYouGo","numOfPeriods":3,"offerId":"spring","price":4.99,
            "priceFormatted":"$4.99","priceString":"4.99","recurringSubscriptionPeriod":"P1M",
            "type":"AdhocOffer"},
            {"modeType":"PayUpFront","numOfPeriods":1,"offerId":"back","price":50,
            "priceFormatted":"$50.00","priceString":"50","recurringSubscriptionPeriod":"P1Y",
            "type":"WinbackOffer"}],"price":9.99,"priceFormatted":"$9.99","priceString":"9.99",
            "recurringSubscriptionPeriod":"P1M","type":"buy"}],"subscriptionFamilyId":"21",
            "subscriptionFamilyName":"Pro","subscriptionFamilyRank":2},
            "href":"/v1/catalog/usa/in-apps/1234567890","id":"1234567890","type":"in-apps"}
            """#
        #expect(json == expected.replacingOccurrences(of: "\n", with: ""))
        let read = try Product(JSONBacking(product.jsonRepresentation))
        #expect(read.jsonRepresentation == product.jsonRepresentation)
        #expect(product.debugDescription.contains("\"offerName\" : \"com.example.monthly\""))
    }

    @Test func `a product reads from the JSON what the store has set`() throws {
        let product = try Product(Self.monthly, storefront: "USA")
        #expect(product.id == "com.example.monthly" && product.type == .autoRenewable)
        #expect(product.displayName == "月額" && product.description == "“Pro”")
        #expect(product.price == Decimal(999) / 100 && product.displayPrice == "$9.99")
        #expect(product.isFamilyShareable)
        let subscription = try #require(product.subscription)
        #expect(subscription.subscriptionGroupID == "21" && subscription.groupLevel == 2)
        #expect(subscription.groupDisplayName == "Pro")
        #expect(subscription.subscriptionPeriod == .monthly)
        let trial = try #require(subscription.introductoryOffer)
        #expect(trial.id == nil && trial.type == .introductory && trial.paymentMode == .freeTrial)
        #expect(trial.price == 0 && trial.displayPrice == "$0.00" && trial.period == .weekly)
        #expect(subscription.promotionalOffers.map(\.id) == ["spring"])
        #expect(subscription.promotionalOffers.map(\.periodCount) == [3])
        #expect(subscription.winBackOffers.map(\.id) == ["back"])
        let terms = try #require(subscription.pricingTerms.first)
        #expect(terms.billingPlanType == .upFront && terms.billingPeriod == .monthly)
        #expect(terms.billingPrice == product.price && terms.commitmentInfo.period == .monthly)
        #expect(terms.subscriptionOffers.count == 3 && terms[offers: .winBack].count == 1)

        var badge = Self.monthly
        badge.type = "Non-Consumable"
        badge.subscription = nil
        let other = try Product(badge, storefront: "JPN")
        #expect(other.subscription == nil && other.type == .nonConsumable && other != product)
    }

    @Test func `a product that can't be one is left out and said, and the others stay`() {
        var free = Self.monthly
        free.price.thousandths = -1
        var endless = Self.monthly
        endless.subscription?.period.count = -1
        let answer = ProductsAnswer(
            storefront: "USA", storefrontId: "143441", products: [free, Self.monthly, endless],
            invalid: [])
        var said: [String] = []
        #expect(answer.values { said.append($0) }.map(\.displayPrice) == ["$9.99"])
        #expect(said.count == 2 && said.allSatisfy { $0.contains("com.example.monthly") })
    }

    /// The JSON of a subscription with another text in place of one.
    private static func product(_ old: String, _ new: String) throws -> Product {
        let json = String(
            decoding: try Product(monthly, storefront: "USA").jsonRepresentation, as: UTF8.self)
        #expect(json.contains(old))
        return try Product(JSONBacking(Data(json.replacing(old, with: new).utf8)))
    }

    @Test(arguments: [
        (#""offerName":"com.example.monthly""#, #""offerName":null"#),
        (#""kind":"Auto"#, #""sort":"Auto"#),
        (#""priceString":"9.99""#, #""priceString":"1e9""#),
        (#""priceString":"9.99""#, #""priceString":"-9.99""#),
        (#""price":9.99,"priceFormatted":"$9.99","priceString":"9.99""#, #""price":1e300"#),
        (#""price":9.99,"priceFormatted":"$9.99","priceString":"9.99""#, #""price":-1"#),
        (#""recurringSubscriptionPeriod":"P1M","type":"buy""#, #""type":"buy""#),
        (#""P1M","type":"buy""#, #""P-1M","type":"buy""#),
        (#""P1M","type":"buy""#, #""P99999999999999999999M","type":"buy""#),
        (#""P1M","type":"buy""#, #""PT1H","type":"buy""#),
        (#""subscriptionFamilyId":"21""#, #""subscriptionFamilyId":null"#),
        (#""attributes":"#, #""details":"#),
    ])
    func `JSON that lacks what every product has is none`(_ old: String, _ new: String) {
        #expect(throws: JSONBacking.Missing.self) { try Self.product(old, new) }
    }

    @Test(arguments: [
        (#""price":9.99,"#, "", "9.99"),
        (#","priceString":"9.99""#, "", "9.99"),
        (
            #""price":9.99,"priceFormatted":"$9.99","priceString":"9.99""#,
            #""price":"19","priceFormatted":"$19""#, "19"
        ),
        (#""priceString":"9.99""#, #""priceString":"0.125""#, "0.125"),
    ])
    func `a price is read in each form that there is`(_ old: String, _ new: String, price: String)
        throws
    {
        #expect("\(try Self.product(old, new).price)" == price)
    }

    @Test func `an offer that can't be read is left out`() throws {
        let product = try Self.product(#""P1W","type":"IntroOffer""#, #""P1H","type":"IntroOffer""#)
        #expect(product.subscription?.introductoryOffer == nil)
        #expect(product.subscription?.promotionalOffers.count == 1)
        let more = try Self.product(#""numOfPeriods":3"#, #""numOfPeriods":-1e300"#)
        #expect(more.subscription?.promotionalOffers.map(\.periodCount) == [1])
        let parts = try Self.product("BILLED_UPFRONT", "MONTHLY")
        #expect(parts.subscription?.pricingTerms == [])
    }

    @Test(arguments: [
        "xx", "en_US@currency=", "en_US@currency=\u{20AC}", "e\u{301}n@currency=USD",
        String(repeating: "a", count: 300) + "@currency=USD",
    ])
    func `a locale that is none gets to no formatter`(_ locale: String) throws {
        let product = try Self.product("en_US@currency=USD", locale)
        #expect(product.priceFormatStyle.locale.identifier == "xx_XX")
        #expect(!product.price.formatted(product.priceFormatStyle).isEmpty)
    }
}
