import Foundation
import StoreWire
import Testing

/// One change to a file that is right, and what must be said about it.
struct Breakage: Sendable, CustomTestStringConvertible {
    let part: String
    let replacement: String
    let problem: String

    init(_ part: String, _ replacement: String, _ problem: String) {
        self.part = part
        self.replacement = replacement
        self.problem = problem
    }

    var testDescription: String { problem }
}

@Suite("Broken StoreKit configuration")
struct BrokenConfigurationTests {
    private static let file = """
        {
          "nonRenewingSubscriptions" : [
            { "displayPrice" : "4.99", "productID" : "season", "type" : "NonRenewingSubscription" }
          ],
          "products" : [
            { "displayPrice" : "0.99", "productID" : "coins", "type" : "Consumable" },
            { "displayPrice" : "1.99", "familyShareable" : false, "localizations" : [
                { "displayName" : "Chapter", "locale" : "en_US" },
                { "displayName" : "Kapitel", "locale" : "de_DE" }
              ], "productID" : "chapter", "referenceName" : "a chapter", "type" : "NonConsumable" }
          ],
          "settings" : { "_locale" : "en_GB", "_storefront" : "GBR" },
          "subscriptionGroups" : [ { "id" : "2", "name" : "Pro", "subscriptions" : [ {
            "adHocOffers" : [ { "displayPrice" : "1.49", "offerID" : "off", "numberOfPeriods" : 2,
              "paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P2M" },
              { "displayPrice" : "2.49", "offerID" : "low", "paymentMode" : "payUpFront",
              "subscriptionPeriod" : "P6M" } ],
            "displayPrice" : "2.99", "groupNumber" : 1, "introductoryOffer" : {
              "paymentMode" : "free", "subscriptionPeriod" : "P1W" },
            "productID" : "month", "recurringSubscriptionPeriod" : "P1M",
            "type" : "RecurringSubscription" } ] } ],
          "version" : { "major" : 3, "minor" : 0 }
        }
        """

    private func problems(of text: String) -> [String] {
        let error = #expect(throws: StoreKitConfigurationError.self) {
            try StoreKitConfiguration(data: Data(text.utf8))
        }
        return error?.problems ?? []
    }

    @Test func `the file that the table changes is right`() throws {
        #expect(try StoreKitConfiguration(data: Data(Self.file.utf8)).items.count == 4)
    }

    private static let subscription = "subscriptionGroups[0].subscriptions[0]"

    @Test(arguments: [
        Breakage("\"1.99\"", "\"1,99\"", "products[1].displayPrice: \"1,99\" is not a price"),
        Breakage("\"1.99\"", "1.99", "products[1].displayPrice: must be a string"),
        Breakage("\"displayPrice\" : \"0.99\", ", "", "products[0].displayPrice: is missing"),
        Breakage(
            "\"coins\"", "\"my coins\"", "products[0].productID: \"my coins\" is not a product"),
        Breakage("\"coins\"", "null", "products[0].productID: is missing"),
        Breakage(
            "\"Consumable\"", "\"Thing\"", "products[0].type: \"Thing\" is not one of Consumable"),
        Breakage("\"Consumable\"", "\"RecurringSubscription\"", "products[0].type: a RecurringSub"),
        Breakage("\"a chapter\"", "7", "products[1].referenceName: must be a string"),
        Breakage("false", "\"no\"", "products[1].familyShareable: must be true or false"),
        Breakage("\"de_DE\"", "\"en_US\"", "products[1].localizations: a locale is used twice"),
        Breakage(", \"locale\" : \"de_DE\"", "", "products[1].localizations[1].locale: is missing"),
        Breakage("\"Kapitel\"", "[]", "products[1].localizations[1].displayName: must be a string"),
        Breakage("\"4.99\"", "\"-1\"", "nonRenewingSubscriptions[0].displayPrice: \"-1\""),
        Breakage("\"0.99\"", "\"0.999\"", "products[0].displayPrice: 0.999 is no price in GBR"),
        Breakage(
            "\"1.49\"", "\"20000001\"",
            "\(subscription).adHocOffers[0].displayPrice: 20000001 is no price in GBR"),
        Breakage("\"GBR\"", "\"XXX\"", "settings._storefront: \"XXX\" is not the code of a storef"),
        Breakage("\"en_GB\"", "1", "settings._locale: must be a string"),
        Breakage("\"id\" : \"2\", ", "", "subscriptionGroups[0].id: is missing"),
        Breakage("\"P1M\"", "\"P1H\"", "\(subscription).recurringSubscriptionPeriod: \"P1H\""),
        Breakage(
            "\"P1M\"", "\"P5M\"",
            "\(subscription).recurringSubscriptionPeriod: \"P5M\" is not a period of a subscription: "
                + "P1W, P1M, P2M, P3M, P6M or P1Y"),
        Breakage(
            "\"P1W\"", "\"P4W\"",
            "\(subscription).introductoryOffer.subscriptionPeriod: \"P4W\" is not a period of an "
                + "offer: P3D, P1W, P2W, P1M, P2M, P3M, P6M or P1Y"),
        Breakage(
            "\"groupNumber\" : 1", "\"groupNumber\" : 1.5", "\(subscription).groupNumber: must"),
        Breakage(
            "\"P1W\"", "\"\"", "\(subscription).introductoryOffer.subscriptionPeriod: \"\" is"),
        Breakage(
            "\"free\"", "\"gratis\"", "\(subscription).introductoryOffer.paymentMode: \"gratis"),
        Breakage("\"1.49\"", "\"?\"", "\(subscription).adHocOffers[0].displayPrice: \"?\""),
        Breakage(
            "\"offerID\" : \"off\", ", "", "\(subscription).adHocOffers[0].offerID: is missing"),
        Breakage(" : 2,", " : \"2\",", "\(subscription).adHocOffers[0].numberOfPeriods: must be a"),
        Breakage(
            "\"RecurringSubscription\"", "\"Consumable\"", "\(subscription).type: only a Recurring"),
        Breakage("\"major\" : 3", "\"major\" : 6", "version: version 6.0 is unknown"),
        Breakage("\"major\" : 3", "\"major\" : 0", "version: version 0.0 is unknown"),
        Breakage("\"major\" : 3", "\"major\" : \"3\"", "version.major: must be a whole number"),
        Breakage("\"version\"", "\"edition\"", "version.major: is missing"),
        Breakage(
            "\"low\"", "\"off\"", "\(subscription).adHocOffers: two offers have the name off"),
        Breakage("\"season\"", "\"coins\"", "the product identifier coins is used twice"),
    ])
    func `the one problem is named with its place`(_ breakage: Breakage) throws {
        try #require(Self.file.ranges(of: breakage.part).count == 1, "one place to break")
        let text = Self.file.replacingOccurrences(of: breakage.part, with: breakage.replacement)
        let problems = problems(of: text)
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix(breakage.problem) == true, "\(problems)")
    }

    @Test(arguments: [
        ("products", "{}", "products: must be an array"),
        ("subscriptionGroups", "\"\"", "subscriptionGroups: must be an array"),
        ("products", "[ 5 ]", "products[0].productID: is missing"),
    ])
    func `a part of another form is named`(_ key: String, _ value: String, _ problem: String) {
        let text = #"{ "\#(key)" : \#(value), "version" : { "major" : 3, "minor" : 0 } }"#
        #expect(problems(of: text).contains(problem))
    }

    @Test func `several problems at once are all reported`() {
        var text = Self.file
        for (part, replacement) in [
            ("\"0.99\"", "\"free\""), ("\"coins\"", "\"\""), ("false", "0"), ("\"4.99\"", "\"\""),
            ("\"1.99\"", "\"two\""), ("\"2.99\"", "\"three\""), ("\"P1M\"", "\"month\""),
            ("\"GBR\"", "\"ZZZ\""), ("\"major\" : 3", "\"major\" : 6"),
            ("\"payAsYouGo\"", "\"later\""), ("\"1.49\"", "\"much\""),
        ] {
            text = text.replacingOccurrences(of: part, with: replacement)
        }
        let places = problems(of: text).map { $0.prefix { $0 != ":" } }.sorted()
        #expect(
            places == [
                "nonRenewingSubscriptions[0].displayPrice", "products[0].displayPrice",
                "products[0].productID", "products[1].displayPrice", "products[1].familyShareable",
                "settings._storefront", "\(Self.subscription).adHocOffers[0].displayPrice",
                "\(Self.subscription).adHocOffers[0].paymentMode",
                "\(Self.subscription).displayPrice",
                "\(Self.subscription).recurringSubscriptionPeriod", "version",
            ])
    }
}
