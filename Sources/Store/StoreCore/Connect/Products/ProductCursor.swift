import Foundation
import StoreModel

/// A place between two products of a sorted list: behind one, or before it.
///
/// As text: `a` or `b` for behind or before, the product's number, and what the list is sorted by.
struct ProductCursor: Comparable {
    let isBackwards: Bool
    let number: Int64
    /// Empty where types are not sorted by.
    let type: String
    let key: String

    init(_ product: ProductSummary, _ key: ProductOrder.Key, isBackwards: Bool) {
        self.isBackwards = isBackwards
        number = product.number.number
        type = key == .type ? product.type.rawValue : ""
        self.key = key == .productID ? product.productID.text : product.referenceName
    }

    /// - Throws: `ConnectRefusal` for text that is no cursor.
    init(_ text: String, _ key: ProductOrder.Key) throws {
        let parts = text.split(scalar: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "a" || parts[0] == "b", let number = Int64(parts[1]),
            parts[2].isEmpty == (key != .type)
        else { throw PageRequest.badCursor }
        isBackwards = parts[0] == "b"
        self.number = number
        type = String(parts[2])
        self.key = String(parts[3])
    }

    var text: String { "\(isBackwards ? "b" : "a")/\(number)/\(type)/\(key)" }

    /// As the database compares: bytes, and letters of ASCII without their case.
    static func < (left: ProductCursor, right: ProductCursor) -> Bool {
        (left.type, left.folded, left.number) < (right.type, right.folded, right.number)
    }

    private var folded: FoldedKey { FoldedKey(text: key) }

    private struct FoldedKey: Comparable {
        let text: String

        private var bytes: some Sequence<UInt8> {
            text.utf8.lazy.map { (65...90).contains($0) ? $0 + 32 : $0 }
        }

        static func == (left: FoldedKey, right: FoldedKey) -> Bool {
            left.bytes.elementsEqual(right.bytes)
        }

        static func < (left: FoldedKey, right: FoldedKey) -> Bool {
            left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }
}
