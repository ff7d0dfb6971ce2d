import Foundation
import StoreKernel
import StoreModel

/// The columns of an item that are JSON. Items are read by position and not as records: an import of
/// a million reads each of them, and many have the same JSON text, which is decoded once.
enum ItemRow {
    private static let decoder = JSONDecoder()
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(
        _ type: Value.Type, _ row: any SQLRow, _ column: Int
    ) throws -> Value {
        do {
            return try decoder.decode(type, from: row.data(column))
        } catch {
            throw SQLError(
                code: .corrupt, "the database holds an item that can't be read: \(error)")
        }
    }

    /// Facts; of many items there are none.
    static func facts(_ row: any SQLRow, _ column: Int) throws -> ItemFacts {
        row.data(column).elementsEqual("{}".utf8)
            ? ItemFacts() : try value(ItemFacts.self, row, column)
    }

    // MARK: Prices

    /// Most items have one of few price tiers: what was read is kept by its text.
    private static let priceCache = Cache<Data, ItemPrices>(limit: 1024)
    /// Longer texts are rare, and not kept.
    private static let cachedTextLimit = 128

    static func prices(_ row: any SQLRow, _ column: Int) throws -> ItemPrices {
        let text = row.data(column)
        guard text.count <= cachedTextLimit else { return try value(ItemPrices.self, row, column) }
        return try priceCache.value(for: text) { try value(ItemPrices.self, row, column) }
    }
}
