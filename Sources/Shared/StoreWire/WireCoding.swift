import Foundation
import StoreModel

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
            throw WireFormatError(error)
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

    init(_ error: DecodingError) {
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
            description = "the value at \(place(context.codingPath)) is not of type \(type)"
        case .valueNotFound(_, let context):
            description = "the value at \(place(context.codingPath)) is null"
        case .dataCorrupted(let context):
            description =
                context.codingPath.isEmpty
                ? "the body is not JSON"
                : "the value at \(place(context.codingPath)) is wrong: \(context.debugDescription)"
        @unknown default:
            description = "the body is not the JSON that this route takes"
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
