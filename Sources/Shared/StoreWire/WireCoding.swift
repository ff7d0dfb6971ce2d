import Foundation

/// The JSON of every request and answer: UTF-8, keys sorted, dates as milliseconds
/// since 1970.
package enum WireCoding {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder: JSONDecoder = JSONDecoder()

    package static func encode(_ value: some Encodable) throws -> Data {
        try encoder.encode(value)
    }

    /// - Throws: `WireFormatError` that names the key which is missing or wrong.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data
    ) throws -> Value {
        do {
            return try decoder.decode(type, from: data)
        } catch let error as DecodingError {
            throw WireFormatError(error, in: data)
        }
    }
}

/// JSON from outside that doesn't have the form it should have.
package struct WireFormatError: Error, Sendable, CustomStringConvertible {
    /// One sentence that names the place, safe to show to anyone.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    init(_ error: DecodingError, in data: Data) {
        func place(_ path: [any CodingKey]) -> String {
            path.isEmpty
                ? "the top level"
                : path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
                    .joined(separator: ".").replacing(scalars: ".[", with: "[")
        }
        switch error {
        case .keyNotFound(let key, let context):
            description = "the key \(place(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context):
            description = "the value at \(place(context.codingPath)) must be \(Self.noun(of: type))"
        case .valueNotFound(_, let context):
            description = "the value at \(place(context.codingPath)) is null"
        case .dataCorrupted(let context):
            let detail = context.debugDescription
            if !context.codingPath.isEmpty {
                let sentence = detail.hasSuffix(scalars: ".") ? String(detail.dropLast()) : detail
                description = "the value at \(place(context.codingPath)) is wrong: \(sentence)"
            } else if (try? JSONSerialization.jsonObject(with: data)) != nil {
                // Foundation says the same of a number that does not fit.
                description = "a number in it must be whole, and not too large"
            } else {
                description = "the body is not JSON"
            }
        @unknown default:
            description = "the body is not the JSON that this route takes"
        }
    }
}

extension WireFormatError {
    /// What JSON calls a type of Swift, with its article.
    private static func noun(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Double.Type, is Decimal.Type: "a number"
        case is any BinaryInteger.Type: "a whole number"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "a list"
        default: "of type \(type)"
        }
    }
}

extension Date {
    /// Milliseconds since 1970, rounded down.
    ///
    /// Seconds in a `Double` are right to less than a microsecond; one is added so that
    /// 0.999 s, kept as 0.998999999, stays 999 ms.
    package var milliseconds: Int64 {
        let value = (timeIntervalSince1970 * 1000 + 0.001).rounded(.down)
        // What is further away than numbers reach came from outside, and is no date of anybody's.
        return Int64(exactly: value) ?? (value > 0 ? .max : .min)
    }

    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
    }
}
