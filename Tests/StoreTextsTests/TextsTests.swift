import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreTexts

struct TextsTests {
    @Test(
        "Every text has all its forms, and their values are those of English",
        arguments: StoreLanguage.allCases)
    func everyText(language: StoreLanguage) {
        let english = TextCatalog.of(.english)
        let catalog = TextCatalog.of(language)
        let texts = Texts(language)
        #expect(catalog.keys == english.keys)
        #expect(english.keys.count > 50)
        for key in english.keys.sorted() {
            let names = Set(english[key].flatMap(Self.values))
            for count in [0, 1, 2, 5, 11, 21, 100] {
                let form = catalog.form(of: key, count: count)
                #expect(!form.isEmpty)
                #expect(names.isSuperset(of: Self.values(of: form)), "\(key): \(form)")
                let text: String = texts.text(
                    key, count: count,
                    KeyValuePairs(dictionaryLiteral: ("price", "{no value}")))
                #expect(!text.isEmpty)
            }
        }
    }

    private static func values(of text: String) -> [String] {
        TextTemplate.segments(of: text).compactMap {
            if case .value(let name) = $0 { name } else { nil }
        }
    }

    @Test func `counts have the forms of their language`() {
        func ratings(_ language: StoreLanguage) -> [String] {
            [1, 2, 5, 11, 21, 1234].map { Texts(language).ratings(count: $0) }
        }
        #expect(
            ratings(.english) == [
                "1 rating", "2 ratings", "5 ratings", "11 ratings", "21 ratings",
                "1,234 ratings",
            ])
        #expect(
            ratings(.russian) == [
                "1 оценка", "2 оценки", "5 оценок", "11 оценок", "21 оценка",
                "1\u{a0}234 оценки",
            ])
        #expect(ratings(.japanese).first == "1件の評価")
        #expect(ratings(.simplifiedChinese).last == "1,234 个评分")
    }

    @Test func `what a purchase charges is a sentence, with the day as the language writes it`() {
        let english = Texts.english
        #expect(english.sentence(of: .now, in: "en_US", "USD") == nil)
        #expect(english.sentence(of: .owned, in: "en_US", "USD") == "You own this: it is free.")
        let later = ChargeNotice.later(Date(timeIntervalSince1970: 1_795_500_000))
        #expect(
            english.sentence(of: later, in: "en_GB", "USD")
                == "Starts on 24 November 2026, when the period that you have paid for ends; "
                + "nothing is charged before.")
        #expect(
            Texts(.japanese).sentence(of: later, in: "en_US", "USD")
                == "支払い済みの期間が終わる2026年11月24日に開始します。それまで請求はありません。")
        let month = SubscriptionPeriod(unit: .month, count: 1)
        let trial = SubscriptionOffer(
            kind: .introductory, identifier: nil, paymentMode: .freeTrial,
            period: SubscriptionPeriod(unit: .week, count: 1), periodCount: 1, thousandths: 0)
        let code = SubscriptionOffer(
            kind: .code, identifier: "spring", paymentMode: .payAsYouGo, period: month,
            periodCount: 3, thousandths: 990)
        #expect(
            english.sentence(of: .offer(trial.followed(by: code)), in: "en_US", "USD")
                == "First free for 1 week, then $0.99 every month for 3 months; after that the price "
                + "is charged.")
        #expect(
            english.sentence(of: .upgrade(trial), in: "en_US", "USD")
                == "Starts now; you get the money back for what is left of the period that you have "
                + "paid for. Free for 1 week; after that the price is charged.")
        // A day that no calendar has, and a locale that is none.
        #expect(
            english.sentence(
                of: .later(Date(timeIntervalSince1970: 1e15)), in: "en_US\u{0}é", "USD")
                == "Starts when the period that you have paid for ends; nothing is charged before.")
        #expect(
            english.price(Money(thousandths: 990, currency: "EUR"), in: "en_\u{0}é") == "€0.99")
    }

    @Test func `a value is put in as it is, whatever it looks like`() {
        let text: String = Texts(.english).priceRises(
            product: "{new} {{x}} “", current: "$1", new: "$2")
        #expect(text == "The price of “{new} {{x}} “” rises from $1 to $2. Do you agree?")
    }

    @Test func `a rule that can't be read gives the first form`() {
        for rule in ["", "plural=", "plural=((((", "plural=n%0", "plural=1?", "plural=é;"] {
            let form = PluralRule(header: "Plural-Forms: nplurals=2; \(rule);\n").form(of: 7)
            #expect(form >= 0, "\(rule)")
        }
        let deep = String(repeating: "(", count: 10_000)
        #expect(PluralRule(header: "Plural-Forms: nplurals=1; plural=\(deep);").form(of: 7) == 0)
    }
}
