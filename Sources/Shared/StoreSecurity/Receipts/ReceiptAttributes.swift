import Foundation

/// A list of attributes as it stands in a receipt and in each purchase of one:
///
///     SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }
struct ReceiptAttributes {
    private var values: [(type: Int64, value: Data)] = []

    init() {}

    /// Reads a list, in whose order nothing lies.
    ///
    /// - Throws: `SecurityError.Code.malformed`.
    init(_ der: Data) throws {
        values = try DERValue(der: der).elements().map { element in
            let parts = try element.elements()
            guard parts.count == 3, case .integer(let type) = parts[0],
                case .integer = parts[1], case .octets(let value) = parts[2]
            else { throw Self.malformed }
            return (type, value)
        }
    }

    /// The list in DER.
    func der() throws -> Data {
        let elements = try values.map { attribute in
            try DERValue.sequence(of: [
                .integer(attribute.type), .integer(1), .octets(attribute.value),
            ])
        }
        return try DERValue.set(of: elements).der()
    }

    private static var malformed: SecurityError {
        SecurityError(.malformed, "an attribute of the receipt is missing or has a wrong form")
    }

    // MARK: Writing

    mutating func add(_ type: Int64, raw value: Data) {
        values.append((type, value))
    }

    /// Adds a value; nothing where there is none.
    mutating func add(_ type: Int64, _ value: DERValue?) throws {
        if let value { add(type, raw: try value.der()) }
    }

    // MARK: Reading

    /// The values of an attribute that can occur more than once.
    func all(_ type: Int64) -> [Data] {
        values.compactMap { $0.type == type ? $0.value : nil }
    }

    /// The value of an attribute that occurs once; a second one would let two readers see
    /// two different receipts.
    private func one(_ type: Int64) throws -> Data? {
        let found = all(type)
        guard found.count < 2 else { throw Self.malformed }
        return found.first
    }

    func required(_ type: Int64) throws -> Data {
        try required(try one(type))
    }

    func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Self.malformed }
        return value
    }

    func integer(_ type: Int64) throws -> Int64? {
        guard let der = try one(type) else { return nil }
        guard case .integer(let number) = try DERValue(der: der) else { throw Self.malformed }
        return number
    }

    func text(_ type: Int64) throws -> String? {
        guard let der = try one(type) else { return nil }
        switch try DERValue(der: der) {
        case .utf8(let text), .ia5(let text): return text
        default: throw Self.malformed
        }
    }

    /// A date; nil also for the empty text that stands for none.
    func date(_ type: Int64) throws -> Date? {
        guard let text = try text(type), !text.isEmpty else { return nil }
        guard text.utf8.count <= 32, let date = try? Date(text, strategy: .iso8601) else {
            throw Self.malformed
        }
        return date
    }
}

extension DERValue {
    /// A moment as receipts write it: RFC 3339 in UTC, whole seconds.
    static func date(_ date: Date) -> DERValue {
        .ia5(
            Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
                .formatted(.iso8601))
    }
}
