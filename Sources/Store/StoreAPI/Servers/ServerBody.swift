import Foundation
import StoreHTTP
import StoreWire

/// The JSON object in a request: each member with the number of the error that a bad value of it
/// is.
struct ServerBody: Sendable {
    private let members: [String: JSONValue]

    /// - Throws: `ServerAPIError` for what is no object.
    init(_ request: HTTPRequest) throws {
        let value: JSONValue
        do {
            value = try JSONValue(reading: try request.wholeBody())
        } catch let error as WireFormatError {
            throw ServerAPIError(
                .generalBadRequest, "The body is not JSON: \(error.description).")
        }
        try self.init(value, "The body")
    }

    /// An object within another one.
    ///
    /// - Parameter name: what a sentence begins with.
    init(_ value: JSONValue, _ name: String) throws {
        guard let members = value.members else {
            throw ServerAPIError(.generalBadRequest, "\(name) is not a JSON object.")
        }
        self.members = members
    }

    /// A member; nil where it is not there, or null.
    subscript(name: String) -> JSONValue? {
        guard let member = members[name], member != .null else { return Optional.none }
        return member
    }

    /// A text that has to be there.
    func text(_ name: String, _ error: ServerErrorCode) throws -> String {
        guard let text = self[name]?.text else { throw ServerAPIError(error, missing(name)) }
        return text
    }

    /// A whole number that has to be there.
    func integer(
        _ name: String, in range: ClosedRange<Int>, _ error: ServerErrorCode
    ) throws -> Int {
        guard let number = self[name]?.integer, range.contains(number) else {
            throw ServerAPIError(
                error,
                "\(name) is missing, or not a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound).")
        }
        return number
    }

    /// A whole number; nil where it is not there.
    func optionalInteger(
        _ name: String, in range: ClosedRange<Int>, _ error: ServerErrorCode
    ) throws -> Int? {
        guard case .some = self[name] else { return nil }
        return try integer(name, in: range, error)
    }

    /// A text; nil where it is not there.
    func optionalText(_ name: String, _ error: ServerErrorCode) throws -> String? {
        guard case .some = self[name] else { return nil }
        return try text(name, error)
    }

    /// A flag; nil where it is not there.
    func optionalFlag(_ name: String, _ error: ServerErrorCode) throws -> Bool? {
        guard case .some = self[name] else { return nil }
        return try flag(name, error)
    }

    /// A time in milliseconds since 1970; nil where it is not there.
    func optionalDate(_ name: String, _ error: ServerErrorCode) throws -> Date? {
        guard let member = self[name] else { return nil }
        guard let date = Date(serverMilliseconds: member.integer.map(Int64.init)) else {
            throw ServerAPIError(error, "\(name) is not a time in milliseconds since 1970.")
        }
        return date
    }

    /// A flag that has to be there.
    func flag(_ name: String, _ error: ServerErrorCode) throws -> Bool {
        guard let flag = self[name]?.flag else { throw ServerAPIError(error, missing(name)) }
        return flag
    }

    /// One of the values that there are, which has to be there.
    func choice<Value: RawRepresentable<String>>(
        _ name: String, _ error: ServerErrorCode
    ) throws -> Value {
        guard let value = try optionalChoice(name, error) as Value? else {
            throw ServerAPIError(error, missing(name))
        }
        return value
    }

    /// One of the values that there are; nil where it is not there.
    func optionalChoice<Value: RawRepresentable<String>>(
        _ name: String, _ error: ServerErrorCode
    ) throws -> Value? {
        guard let member = self[name] else { return nil }
        guard let value = member.text.flatMap(Value.init(rawValue:)) else {
            throw ServerAPIError(error, "\(name) is none of the values that there are.")
        }
        return value
    }

    private func missing(_ name: String) -> String {
        "\(name) is missing, or of another type."
    }
}
