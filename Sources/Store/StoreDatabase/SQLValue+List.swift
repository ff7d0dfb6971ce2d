import Foundation

extension SQLValue {
    package static func integer(_ value: Int64?) -> SQLValue {
        value.map { .integer($0) } ?? .noInteger
    }

    /// Values of a filter as JSON, for `json_each`; null where there are none, which stands
    /// for all.
    package static func list(_ values: [String]) -> SQLValue {
        guard !values.isEmpty else { return .noText }
        return .text(
            (try? JSONEncoder().encode(values)).map { String(decoding: $0, as: UTF8.self) })
    }

    package static func list(_ values: [Int64]) -> SQLValue {
        guard !values.isEmpty else { return .noText }
        return .text("[" + values.map(String.init).joined(separator: ",") + "]")
    }

    /// A value as JSON.
    package static func json(_ value: some Encodable) throws -> SQLValue {
        .text(try ColumnJSON.encoded(value))
    }
}
