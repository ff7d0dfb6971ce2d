import StoreModel

/// The identifier of an order, as customers read it on a receipt: `M` and ten letters and digits.
///
/// It is the transaction's number in another dress, so that it needs no table: numbers that follow
/// one another look unlike, and a mistyped letter rarely gives another order.
package struct OrderID: Hashable, Sendable, CustomStringConvertible {
    /// Letters and digits that nobody takes for others.
    private static let letters = Array("0123456789BCDFGHJKLMNPQRSTVWXYZA".utf8)
    private static let bits = 50
    private static let mask: UInt64 = (1 << 50) - 1
    /// Odd, so that multiplying by it can be undone.
    private static let factor: UInt64 = 0x2_5A3D_9E1B_6C75
    private static let inverse: UInt64 = inverse(of: factor)

    package let transaction: TransactionID

    package init(_ transaction: TransactionID) {
        self.transaction = transaction
    }

    /// Nil for a text that names no order. Small letters are understood.
    package init?(_ text: String) {
        let bytes = Array(text.uppercased().utf8)
        guard bytes.count == 11, bytes[0] == UInt8(ascii: "M") else { return nil }
        var code: UInt64 = 0
        for byte in bytes.dropFirst() {
            guard let digit = Self.letters.firstIndex(of: byte) else { return nil }
            code = code << 5 | UInt64(digit)
        }
        let number = Self.mixed(Self.mixed(code) &* Self.inverse & Self.mask)
        self.transaction = TransactionID(number: Int64(number))
    }

    package var description: String {
        var code = Self.mixed(
            Self.mixed(UInt64(transaction.number) & Self.mask) &* Self.factor & Self.mask)
        var digits: [UInt8] = []
        for _ in 0..<10 {
            digits.append(Self.letters[Int(code & 31)])
            code >>= 5
        }
        return "M" + String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// Its own inverse: the high half of the bits over the low one.
    private static func mixed(_ value: UInt64) -> UInt64 {
        value ^ value >> UInt64(bits / 2)
    }

    /// What undoes a multiplication modulo two to the fiftieth (Newton's iteration).
    private static func inverse(of factor: UInt64) -> UInt64 {
        var result = factor
        for _ in 0..<6 { result = result &* (2 &- factor &* result) }
        return result & mask
    }
}
