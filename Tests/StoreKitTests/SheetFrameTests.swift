import Foundation
@testable import StoreKit
import StoreModel
import StoreTexts
import Testing

/// What a customer decides by, on a terminal.
struct SheetFrames {
    private static let price = "$9.99"

    /// Names that want to look like something else.
    private static let titles = [
        "Sword", "", "Sword\nPrice:   $0.01", "Sword\r\n│ Price:   $0.01 │",
        "S\u{2028}Price: $0.01",
        "Sword” for $0.01?", "Price:   $0.01", "Terms: free for ever", "S\u{1b}[2J\u{9b}1A",
        "S\u{202E}10.0$", String(repeating: "x", count: 4000),
        "Sword" + String(repeating: " ", count: 300) + "Price:   $0.01",
        "Sword" + String(repeating: "\u{3000}", count: 300) + "Price: $0.01",
        "Sword" + String(repeating: "\u{A0}", count: 66) + "│ Price: $0.01",
        String(repeating: "時計", count: 300), String(repeating: "e\u{301}", count: 300),
    ]

    @Test(arguments: [true, false])
    func `every question names the sandbox, and none the production store`(
        isSandbox: Bool
    ) async throws {
        let customer = try TypingCustomer()
        let texts = Texts(.english)
        let sheet = OpenStoreTerminalSheet(at: customer.place, opening: { _ in }, texts: texts)
        let (account, amount) = ("ada@example.com", Money(thousandths: 9990, currency: "USD"))
        let purchase = OpenStorePurchaseQuestion(
            isSandbox: isSandbox, productIdentifier: "sword", title: "Sword", quantity: 1,
            price: Self.price, account: account, needsApproval: false, unitPrice: amount,
            renewal: nil)
        let consent = OpenStorePriceConsentQuestion(
            isSandbox: isSandbox, productIdentifier: "sword", title: "Sword",
            currentPrice: "$4.99", newPrice: Self.price, account: account, currentAmount: amount,
            newAmount: amount)
        let screens = try await customer.answers([
            ("\(texts.email): ", ""), (texts.askBuy, "n"), ("\(texts.code): ", ""),
            (texts.askAgree, ""),
        ]) { () async throws -> Void in
            _ = try await sheet.signIn(
                OpenStoreSignInQuestion(isSandbox: isSandbox, email: nil, problem: nil))
            _ = try await sheet.confirm(purchase)
            _ = try await sheet.redeem(
                OpenStoreRedemptionQuestion(isSandbox: isSandbox, account: account, problem: nil))
            _ = try await sheet.consent(consent)
        }
        let marks = screens.map { $0.contains("[Environment: Sandbox]") }
        #expect(marks == [isSandbox, isSandbox, isSandbox, isSandbox, false])
    }

    @Test(arguments: titles, [20, 24, 80, 500])
    func `no title looks like a price or a term, on a terminal of any width`(
        title: String, columns: Int
    ) {
        let price = Money(thousandths: 9990, currency: "USD")
        let purchase = OpenStorePurchaseQuestion(
            isSandbox: false, productIdentifier: "sword", title: title, quantity: 1,
            price: Self.price, account: "ada@example.com", needsApproval: false, unitPrice: price,
            renewal: StoreModel.SubscriptionPeriod(unit: .month, count: 1))
        let consent = OpenStorePriceConsentQuestion(
            isSandbox: false, productIdentifier: "sword", title: title, currentPrice: "$4.99",
            newPrice: Self.price, account: "ada@example.com", currentAmount: price,
            newAmount: price)
        for facts in [purchase.facts(in: .english), consent.facts(in: .english)] {
            var frame = SheetFrame("Confirm", columns: columns)
            frame.add(facts)
            let lines = frame.text.split(scalar: "\n").map(String.init)
            // Every label once, in its order, and nothing else at the left edge.
            let starts = lines.filter { !$0.hasPrefix("│  ") && $0.hasPrefix("│") }
            #expect(starts.count == facts.count + 1)
            for (start, fact) in zip(starts.dropFirst(), facts) {
                #expect(start.hasPrefix("│ \(fact.label):"))
            }
            let shown = starts.filter { $0.hasPrefix("│ Price: ") || $0.hasPrefix("│ New price: ") }
            #expect(shown.count == 1 && shown.allSatisfy { $0.contains(Self.price) })
            let widths = Set(lines.map(\.terminalWidth))
            #expect(widths.count == 1 && widths.allSatisfy { $0 <= max(24, columns) })
        }
    }

    @Test func `a subscription's text says price, period, renewal and where it is cancelled`() {
        func text(needsApproval: Bool, renewal: StoreModel.SubscriptionPeriod?) -> String {
            OpenStorePurchaseQuestion(
                isSandbox: true, productIdentifier: "magazine", title: "Magazine", quantity: 1,
                price: Self.price, account: "ada@example.com", needsApproval: needsApproval,
                unitPrice: Money(thousandths: 9990, currency: "USD"), renewal: renewal
            ).text(in: .english)
        }
        let month = StoreModel.SubscriptionPeriod(unit: .month, count: 1)
        #expect(
            text(needsApproval: false, renewal: month)
                == "Do you want to subscribe to “Magazine” for $9.99 every month? Renews every "
                + "month at this price until you cancel. Cancel at any time on your account’s page "
                + "in the store, under Subscriptions.")
        #expect(
            text(needsApproval: true, renewal: month)
                .hasPrefix("Do you want to ask for permission to subscribe to “Magazine” for "))
        #expect(
            text(needsApproval: false, renewal: nil)
                == "Do you want to buy one “Magazine” for $9.99?")
    }

    @Test func `terms stand on lines of their own`() {
        let question = OpenStorePurchaseQuestion(
            isSandbox: true, productIdentifier: "magazine", title: "Magazine", quantity: 2,
            price: Self.price, account: "ada@example.com", needsApproval: true,
            unitPrice: Money(thousandths: 4995, currency: "USD"),
            renewal: StoreModel.SubscriptionPeriod(unit: .month, count: 3))
        var frame = SheetFrame("Confirm", columns: 80)
        frame.add(question.facts(in: .english))
        #expect(
            frame.text == """
                ┌──────────────────────────────────────────────────────────────────┐
                │ Confirm                                                          │
                ├──────────────────────────────────────────────────────────────────┤
                │ Product:  Magazine                                               │
                │ Quantity: 2                                                      │
                │ Price:    $9.99 every 3 months                                   │
                │ Renews:   every 3 months at this price until you cancel          │
                │ Cancel:   at any time on your account’s page in the store, under │
                │           Subscriptions                                          │
                │ Approval: somebody else has to approve the purchase first        │
                │ Account:  ada@example.com                                        │
                └──────────────────────────────────────────────────────────────────┘

                """)
    }
}
