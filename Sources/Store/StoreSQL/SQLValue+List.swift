import Foundation

extension SQLValue {
    static func integer(_ value: Int64?) -> SQLValue { value.map { .integer($0) } ?? .null }
    static func integer(_ value: Bool?) -> SQLValue { value.map { .integer($0) } ?? .null }

    /// Values of a filter as JSON, for `json_each`; null where there are none, which stands
    /// for all.
    static func list(_ values: [String]) -> SQLValue {
        guard !values.isEmpty else { return .null }
        return .text(
            (try? JSONEncoder().encode(values)).map { String(decoding: $0, as: UTF8.self) })
    }

    static func list(_ values: [Int64]) -> SQLValue {
        guard !values.isEmpty else { return .null }
        return .text("[" + values.map(String.init).joined(separator: ",") + "]")
    }
}
