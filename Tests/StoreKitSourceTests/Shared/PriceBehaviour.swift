import StoreFoundationAdditions
import StoreKit
import Testing

// Point 18: what Apple's Foundation has and Linux's lacks comes in a product of its own.

@Suite struct FoundationAdditions {
    @Test func `a formatter takes the behaviour that Apple's example sets`() {
        let formatter = NumberFormatter()
        formatter.formatterBehavior = .behavior10_4
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "en_US@currency=USD")
        #expect(formatter.string(from: 1.99) == "$1.99")
        #expect(formatter.formatterBehavior == .behavior10_4)
        #expect(NumberFormatter.Behavior.behavior10_4.rawValue == 1040)
        #expect(NumberFormatter.defaultFormatterBehavior() == .behavior10_4)
    }
}
