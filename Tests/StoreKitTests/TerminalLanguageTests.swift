import Foundation
@testable import StoreKit
import StoreModel
import StoreTexts
import Testing

/// Questions on a terminal in Japanese, whose letters are two columns wide.
struct TerminalLanguageTests {
    private static let texts = Texts(.japanese)

    private static func purchase(
        _ renewal: StoreModel.SubscriptionPeriod?, quantity: Int = 1, needsApproval: Bool = false,
        charge: ChargeNotice = .now
    ) -> OpenStorePurchaseQuestion {
        OpenStorePurchaseQuestion(
            isSandbox: true, productIdentifier: "magazine", title: "灯台の雑誌", quantity: quantity,
            price: "¥1,500", account: "haruki@example.com", needsApproval: needsApproval,
            unitPrice: Money(thousandths: 1_500_000, currency: "JPY"), renewal: renewal,
            charge: charge, locale: "ja_JP")
    }

    @Test func `a purchase, a subscription and a higher price are asked in Japanese`() async throws
    {
        let customer = try TypingCustomer()
        let sheet = OpenStoreTerminalSheet(
            at: customer.place, opening: { _ in }, texts: Self.texts)
        let price = Money(thousandths: 1_500_000, currency: "JPY")
        let consent = OpenStorePriceConsentQuestion(
            isSandbox: false, productIdentifier: "magazine", title: "灯台の雑誌",
            currentPrice: "¥1,200", newPrice: "¥1,500", account: "haruki@example.com",
            currentAmount: price, newAmount: price)
        let quarter = StoreModel.SubscriptionPeriod(unit: .month, count: 3)
        let later = ChargeNotice.later(Date(timeIntervalSince1970: 1_795_500_000))
        let (buy, subscribe) = (Self.texts.askBuy, Self.texts.askSubscribe)
        let screens = try await customer.answers([
            (buy, "たぶん"), (buy, " はい "), (subscribe, "n"), (Self.texts.askAgree, ""),
        ]) { () async throws -> Void in
            #expect(
                try await sheet.confirm(Self.purchase(nil, quantity: 2, needsApproval: true)))
            #expect(!(try await sheet.confirm(Self.purchase(quarter, charge: later))))
            #expect(try await sheet.consent(consent) == nil)
        }
        #expect(screens.joined() == Self.transcript)
    }

    private static let transcript = """
        ┌──────────────────────────────────────────────────────┐
        │ App内課金の確認                                      │
        ├──────────────────────────────────────────────────────┤
        │ 商品:       灯台の雑誌                               │
        │ 数量:       2                                        │
        │ 価格:       ¥1,500                                   │
        │ 承認:       先に別の人が購入を承認する必要があります │
        │ アカウント: haruki@example.com                       │
        │ [環境: Sandbox]                                      │
        └──────────────────────────────────────────────────────┘
        購入しますか？ [y/n] 購入しますか？ [y/n] ┌────────────────────────────────────────────────────────────────────────────┐
        │ サブスクリプションの確認                                                   │
        ├────────────────────────────────────────────────────────────────────────────┤
        │ 商品:       灯台の雑誌                                                     │
        │ 価格:       3か月ごと ¥1,500                                               │
        │ 更新:       キャンセルするまで、この価格で3か月ごと更新                    │
        │ キャンセル: ストアのアカウントページの「サブスクリプション」でいつでも可能 │
        │ アカウント: haruki@example.com                                             │
        │ 支払い済みの期間が終わる2026年11月24日に開始します。それまで請求はありませ │
        │ ん。                                                                       │
        │ [環境: Sandbox]                                                            │
        └────────────────────────────────────────────────────────────────────────────┘
        サブスクリプションに登録しますか？ [y/n] ┌────────────────────────────────┐
        │ 価格の引き上げ                 │
        ├────────────────────────────────┤
        │ 商品:       灯台の雑誌         │
        │ 現在の価格: ¥1,200             │
        │ 新しい価格: ¥1,500             │
        │ アカウント: haruki@example.com │
        └────────────────────────────────┘
        同意しますか？ [y/n、あとで決めるにはReturn] 
        """
}
