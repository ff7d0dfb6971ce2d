import StoreCore
import StoreModel
import Testing

@Suite struct ProductDetailRulesTests {
    /// What is refused, by which rule, for which field.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        let check: @Sendable () throws -> Void

        init(_ rule: String, _ field: String, _ check: @escaping @Sendable () throws -> Void) {
            testDescription = rule
            self.field = field
            self.check = check
        }
    }

    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func text(_ title: String, _ description: String) -> ProductText {
        ProductText(title: title, description: description)
    }

    static let wrong: [Wrong] = [
        Wrong("productIDLength", "productId") { _ = try ProductDetailRules.productID("a") },
        Wrong("productIDLength", "productId") { _ = try ProductDetailRules.productID(long(256)) },
        Wrong("productIDCharacters", "productId") {
            _ = try ProductDetailRules.productID("com.example/coins")
        },
        Wrong("productIDCharacters", "productId") {
            _ = try ProductDetailRules.productID("münzen")
        },
        Wrong("nameLength", "name") { _ = try ProductDetailRules.referenceName(" a ") },
        Wrong("nameLength", "name") { _ = try ProductDetailRules.referenceName(long(65)) },
        Wrong("nameCharacters", "name") { _ = try ProductDetailRules.referenceName("a\u{7}b") },
        Wrong("titleLength", "name") { _ = try ProductDetailRules.text(text("a", "about")) },
        Wrong("titleLength", "name") {
            _ = try ProductDetailRules.text(text(long(31), "about"))
        },
        Wrong("titleCharacters", "name") {
            _ = try ProductDetailRules.text(text("100 \u{202E}snioc", "about"))
        },
        Wrong("descriptionLength", "description") {
            _ = try ProductDetailRules.text(text("Coins", " "))
        },
        Wrong("descriptionLength", "description") {
            _ = try ProductDetailRules.text(text("Coins", long(256)))
        },
        Wrong("descriptionCharacters", "description") {
            _ = try ProductDetailRules.text(text("Coins", "a\nb"))
        },
        Wrong("reviewNoteLength", "reviewNote") {
            _ = try ProductDetailRules.reviewNote(long(4001))
        },
        Wrong("reviewNoteCharacters", "reviewNote") {
            _ = try ProductDetailRules.reviewNote("a\u{0}")
        },
        Wrong("familySharing", "familySharable") {
            try ProductDetailRules.checkFamilySharing(true, type: .consumable)
        },
        Wrong("familySharing", "familySharable") {
            try ProductDetailRules.checkFamilySharing(true, type: .nonRenewingSubscription)
        },
        Wrong("familySharingStays", "familySharable") {
            try ProductDetailRules.checkFamilySharing(
                false, type: .nonConsumable, earlier: true, wasOnSale: true)
        },
        Wrong("localeUnknown", "locale") { _ = try ProductDetailRules.locale("en_US") },
        Wrong("localeUnknown", "locale") { _ = try ProductDetailRules.locale("tlh") },
    ]

    @Test(arguments: wrong)
    func `what breaks a rule is refused for its field, with what would help`(wrong: Wrong) {
        #expect {
            try wrong.check()
        } throws: { error in
            guard let refusal = error as? ConnectRefusal else { return false }
            return refusal.rule == wrong.testDescription && refusal.field == wrong.field
                && refusal.help.hasSuffix(".")
        }
    }

    @Test func `what keeps the rules is taken, without spaces around it`() throws {
        #expect(try ProductDetailRules.productID("ab").text == "ab")
        #expect(try ProductDetailRules.productID(Self.long(255)).text.count == 255)
        #expect(try ProductDetailRules.referenceName(" 100 Coins ") == "100 Coins")
        #expect(try ProductDetailRules.reviewNote("a\nb\n") == "a\nb")
        let text = try ProductDetailRules.text(Self.text("第一", "章"))
        #expect(text == Self.text("第一", "章"))
        try ProductDetailRules.checkFamilySharing(true, type: .nonConsumable)
        try ProductDetailRules.checkFamilySharing(true, type: .autoRenewableSubscription)
        try ProductDetailRules.checkFamilySharing(
            false, type: .nonConsumable, earlier: true, wasOnSale: false)
    }

    @Test func `every language is kept so that it comes back as it was`() throws {
        #expect(ProductLocale.all.count == 50)
        #expect(ProductLocale.all.allSatisfy { ConnectLocale($0.code)?.text == $0.code })
        for (code, name) in ProductLocale.all {
            let stored = try ProductDetailRules.locale(code)
            #expect(!stored.contains("-"))
            #expect(ProductLocale.code(of: stored) == code)
            #expect(ProductLocale.name(of: stored) == name)
        }
        #expect(ProductLocale.name(of: "de_AT") == "de-AT", "as imports may have it")
    }
}
