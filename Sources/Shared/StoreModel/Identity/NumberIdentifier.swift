/// An identifier that is a positive number, on the wire written in digits.
package protocol NumberIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    var number: Int64 { get }
    init(number: Int64)
}

extension NumberIdentifier {
    /// Nil for anything but the digits of a positive number that fits into 63 bits.
    package init?(_ text: String) {
        guard let id = TransactionID(text), id.number > 0, id.description == text else {
            return nil
        }
        self.init(number: id.number)
    }

    package var description: String { String(number) }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The number of one thing in the store's database; later ones have larger numbers.
package struct ID<Thing>: NumberIdentifier {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}
