import Foundation
import StoreKernel

/// Decoded values of a column that has JSON, by their texts: for columns of which many rows have the same
/// text (memoization).
package struct JSONColumnCache<Value: Codable & Sendable>: Sendable {
    /// `Data` hashes its first 80 bytes only, and the texts of a column often begin alike.
    private struct Key: Hashable, Sendable {
        let text: Data

        func hash(into hasher: inout Hasher) {
            text.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private let values: Cache<Key, Value>

    /// - Parameters:
    ///   - limit: bytes of all texts together. Values can take several times as much.
    ///   - longest: bytes of a text that is kept; `nil` for an eighth of the limit.
    package init(limit: Int, longest: Int? = nil) {
        values = Cache(limit: limit, entryLimit: longest, cost: { key, _ in key.text.count })
    }

    /// The value of a text, decoded unless it is known.
    ///
    /// - Throws: `SQLError` with the code `row`.
    func value(for text: Data) throws -> Value {
        try values.value(for: Key(text: text)) { try ColumnJSON.decoded(text) }
    }
}
