import StoreCore
import StoreModel
import Testing

@Suite struct OrderIDTests {
    @Test func `an order names its transaction, in either case`() throws {
        for number: Int64 in [
            1_000_000_000_000_001, 1_000_000_000_000_002, 1_000_000_123_456_789,
            (1 << 50) - 1, 1,
        ] {
            let order = OrderID(TransactionID(number: number))
            let text = order.description
            #expect(text.count == 11 && text.hasPrefix("M"))
            #expect(OrderID(text)?.transaction.number == number)
            #expect(OrderID(text.lowercased())?.transaction.number == number)
        }
    }

    @Test func `orders that follow one another look unlike`() {
        let texts = (0..<1000).map {
            OrderID(TransactionID(number: 1_000_000_000_000_001 + $0)).description
        }
        #expect(Set(texts).count == 1000)
        for (one, next) in zip(texts, texts.dropFirst()) {
            #expect(zip(one, next).filter { $0 != $1 }.count >= 4, "\(one) \(next)")
        }
    }

    @Test(arguments: [
        "", "M", "X0123456789", "M012345678", "M01234567890", "M01234567I9", "Ⅿ0123456789",
    ])
    func `what is no order is nil`(text: String) {
        #expect(OrderID(text) == nil)
    }
}
