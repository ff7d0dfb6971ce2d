import Foundation

/// A JSON value of any form.
package indirect enum JSONValue: Sendable, Hashable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    // MARK: Reading

    /// The member of an object; nil where there is none, or no object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var flag: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// A whole number.
    package var integer: Int? {
        guard case .number(let number) = self else { return nil }
        return Int(exactly: number)
    }

    package var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var members: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    // MARK: Making

    /// A text; null for none.
    package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    package static func flag(_ flag: Bool?) -> JSONValue { flag.map(JSONValue.bool) ?? .null }

    package static func integer(_ number: Int?) -> JSONValue {
        number.map { .number(Double($0)) } ?? .null
    }

    package static func integer(_ number: Int64?) -> JSONValue {
        number.map { .number(Double($0)) } ?? .null
    }

    /// A time as ISO 8601 writes it, in UTC; null for none.
    package static func time(_ date: Date?) -> JSONValue {
        guard let date else { return .null }
        return .string(date.formatted(.iso8601))
    }

    /// A day (UTC) as `2026-01-31`; null for none.
    package static func day(_ date: Date?) -> JSONValue {
        guard let date else { return .null }
        return .string(date.formatted(.iso8601.year().month().day()))
    }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONValue {
        .array(texts.map(JSONValue.string))
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
