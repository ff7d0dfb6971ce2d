import Foundation
import StoreCore
import StoreModel

/// The columns of an item that are JSON.
enum ItemJSON {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(
        _ type: Value.Type, _ row: any SQLRow, _ column: Int
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(row.text(column).utf8))
        } catch {
            throw SQLError(
                code: .corrupt, "the database holds an item that can't be read: \(error)")
        }
    }
}
