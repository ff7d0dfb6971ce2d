/// The numeric identifier of a product, which App Store Connect calls its Apple ID: unique in
/// the whole store, where a product identifier is unique within its app.
package struct ProductNumber: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    /// Nil for anything but the digits of a positive number that fits into 63 bits.
    package init?(_ text: String) {
        guard let id = TransactionID(text), id.number > 0, id.description == text else {
            return nil
        }
        self.number = id.number
    }

    package var description: String { String(number) }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
