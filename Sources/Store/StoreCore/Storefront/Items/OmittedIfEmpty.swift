/// A text or list of a value that is kept as JSON: it is left out while it is empty, so that rows
/// are short, and may be missing in rows of a program that did not know it yet.
@propertyWrapper
package struct OmittedIfEmpty<Value>: Sendable, Hashable
where Value: RangeReplaceableCollection & Codable & Hashable & Sendable {
    package var wrappedValue: Value

    package init(wrappedValue: Value = Value()) { self.wrappedValue = wrappedValue }
}

extension OmittedIfEmpty: Codable {
    package init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// What the compiler writes for a `Codable` type calls these in place of the general ones.

extension KeyedDecodingContainer {
    package func decode<Value>(
        _ type: OmittedIfEmpty<Value>.Type, forKey key: Key
    ) throws -> OmittedIfEmpty<Value> {
        try decodeIfPresent(type, forKey: key) ?? OmittedIfEmpty()
    }
}

extension KeyedEncodingContainer {
    package mutating func encode<Value>(
        _ value: OmittedIfEmpty<Value>, forKey key: Key
    ) throws {
        if !value.wrappedValue.isEmpty { try encode(value.wrappedValue, forKey: key) }
    }
}
