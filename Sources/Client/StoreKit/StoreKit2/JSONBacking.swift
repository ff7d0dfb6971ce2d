import StoreWire

/// The JSON that a value of StoreKit 2 was decoded from: what its properties read, and what it is
/// equal by.
struct JSONBacking: Sendable {
    /// The bytes as they came, which `jsonRepresentation` gives.
    let data: Data
    /// The same, decoded.
    let value: JSONValue
    /// The signed text that the JSON is the payload of; nil for a product.
    let jws: String?

    /// - Throws: `WireFormatError` if the bytes are not JSON, or it is nested too deep.
    init(_ data: Data, jws: String? = nil) throws {
        self.data = data
        self.value = try JSONValue(reading: data)
        self.jws = jws
    }

    init(data: Data, value: JSONValue, jws: String? = nil) {
        self.data = data
        self.value = value
        self.jws = jws
    }

    /// A property that Apple's type always has, and the JSON has not.
    struct Missing: Error {
        let key: String

        init(_ key: String) {
            self.key = key
        }
    }

    /// The value at a path of members; nil if there is none, or JSON's null.
    subscript(path: String...) -> JSONValue? {
        var found: JSONValue? = value
        for key in path { found = found?[key] }
        return found == .null ? nil : found
    }

    // MARK: Members

    func text(_ key: String) -> String? { self[key]?.text }

    /// - Throws: `Missing` if there is no text of this name.
    func requiredText(_ key: String) throws -> String {
        guard let text = text(key) else { throw Missing(key) }
        return text
    }

    /// A whole number; nil if it is none, or has no room in the type.
    func integer(_ key: String) -> Int64? {
        guard case .number(let number) = self[key] else { return nil }
        return Int64(exactly: number)
    }

    /// A flag, which some payloads write as 0 or 1.
    func flag(_ key: String) -> Bool? { self[key]?.flag ?? integer(key).map { $0 != 0 } }

    /// An identifier of a transaction: a number that payloads write as text.
    func identifier(_ key: String) -> UInt64? { text(key).flatMap { UInt64($0) } }

    /// - Throws: `Missing` if there is no identifier of this name.
    func requiredIdentifier(_ key: String) throws -> UInt64 {
        guard let identifier = identifier(key) else { throw Missing(key) }
        return identifier
    }

    func uuid(_ key: String) -> UUID? { text(key).flatMap { UUID(uuidString: $0) } }

    /// Bytes in Base64.
    func bytes(_ key: String) -> Data? { text(key).flatMap { Data(base64Encoded: $0) } }

    /// A time in milliseconds, which some payloads write with a fraction.
    func date(_ key: String) -> Date? {
        guard case .number(let milliseconds) = self[key], milliseconds.isFinite else { return nil }
        // Foundation's calendars and formats trap for years that no `Int` holds.
        let date = Date(timeIntervalSince1970: milliseconds / 1000)
        return min(max(date, .distantPast), .distantFuture)
    }

    /// - Throws: `Missing` if there is no time of this name.
    func requiredDate(_ key: String) throws -> Date {
        guard let date = date(key) else { throw Missing(key) }
        return date
    }

    /// An amount that the payload writes in thousandths.
    func thousandths(_ key: String) -> Decimal? { integer(key).map { Decimal($0) / 1000 } }

    /// The JSON for people, with sorted keys.
    var prettyText: String {
        guard let object = try? JSONSerialization.jsonObject(with: data),
            let pretty = try? JSONSerialization.data(
                withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
        else { return String(decoding: data, as: UTF8.self) }
        return String(decoding: pretty, as: UTF8.self)
    }
}

extension JSONBacking: Hashable {
    static func == (one: JSONBacking, other: JSONBacking) -> Bool { one.value == other.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
