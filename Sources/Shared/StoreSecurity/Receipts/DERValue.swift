import CStoreCrypto
import Foundation

/// The few kinds of ASN.1 value that receipts are made of, and their DER; OpenSSL reads and
/// writes all of it.
enum DERValue: Hashable {
    case integer(Int64)
    case octets(Data)
    case utf8(String)
    case ia5(String)
    /// The DER of a whole SEQUENCE.
    case sequence(Data)
    /// The DER of a whole SET.
    case set(Data)

    /// Reads one value; trailing bytes are refused.
    ///
    /// - Throws: `malformed`, also for kinds that receipts don't have.
    init(der: Data) throws {
        let value = try Self.read(der, free: ASN1_TYPE_free) { d2i_ASN1_TYPE(nil, &$0, $1) }
        defer { ASN1_TYPE_free(value) }
        self = try Self.value(of: value)
    }

    /// Its DER.
    func der() throws -> Data {
        switch self {
        case .integer(let number):
            guard let integer = ASN1_INTEGER_new(), ASN1_INTEGER_set_int64(integer, number) == 1
            else { throw SecurityError.library("writing ASN.1") }
            defer { ASN1_INTEGER_free(integer) }
            return try Self.write { i2d_ASN1_INTEGER(integer, &$0) }
        case .octets(let data):
            return try Self.string(data, type: V_ASN1_OCTET_STRING) {
                i2d_ASN1_OCTET_STRING($0, &$1)
            }
        case .utf8(let text):
            return try Self.string(Data(text.utf8), type: V_ASN1_UTF8STRING) {
                i2d_ASN1_UTF8STRING($0, &$1)
            }
        case .ia5(let text):
            return try Self.string(Data(text.utf8), type: V_ASN1_IA5STRING) {
                i2d_ASN1_IA5STRING($0, &$1)
            }
        case .sequence(let der), .set(let der): return der
        }
    }

    /// A SEQUENCE of values.
    static func sequence(of values: [DERValue]) throws -> DERValue {
        .sequence(try list(values) { i2d_ASN1_SEQUENCE_ANY($0, &$1) })
    }

    /// A SET OF values, in DER's order.
    static func set(of values: [DERValue]) throws -> DERValue {
        .set(try list(values) { i2d_ASN1_SET_ANY($0, &$1) })
    }

    /// The values of a SEQUENCE or SET.
    ///
    /// - Throws: `malformed`, also for any other kind of value.
    func elements() throws -> [DERValue] {
        let list: OpaquePointer
        switch self {
        case .sequence(let der):
            list = try Self.read(der, free: cstore_free_values) {
                d2i_ASN1_SEQUENCE_ANY(nil, &$0, $1)
            }
        case .set(let der):
            list = try Self.read(der, free: cstore_free_values) { d2i_ASN1_SET_ANY(nil, &$0, $1) }
        case .integer, .octets, .utf8, .ia5: throw Self.malformed
        }
        defer { cstore_free_values(list) }
        return try (0..<OPENSSL_sk_num(list)).map { index in
            guard let element = OPENSSL_sk_value(list, index) else { throw Self.malformed }
            return try Self.value(of: element.assumingMemoryBound(to: ASN1_TYPE.self))
        }
    }

    private static var malformed: SecurityError {
        SecurityError(.malformed, "the receipt is not the ASN.1 that receipts are made of")
    }

    // MARK: Reading

    private static func read<Value>(
        _ der: Data, free: (Value) -> Void,
        _ decode: (inout UnsafePointer<UInt8>?, Int) -> Value?
    ) throws -> Value {
        let value: Value? = der.withUnsafeBytes { bytes in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
            var position: UnsafePointer<UInt8>? = base
            guard let value = decode(&position, bytes.count) else { return nil }
            guard position == base + bytes.count else {
                free(value)
                return nil
            }
            return value
        }
        guard let value else {
            ERR_clear_error()
            throw malformed
        }
        return value
    }

    private static func value(of type: UnsafeMutablePointer<ASN1_TYPE>) throws -> DERValue {
        let string = type.pointee.value.asn1_string
        switch ASN1_TYPE_get(type) {
        case V_ASN1_INTEGER:
            var number: Int64 = 0
            guard ASN1_INTEGER_get_int64(&number, type.pointee.value.integer) == 1 else {
                ERR_clear_error()
                throw malformed
            }
            return .integer(number)
        case V_ASN1_OCTET_STRING: return .octets(bytes(of: string))
        case V_ASN1_UTF8STRING: return .utf8(try text(of: string))
        case V_ASN1_IA5STRING:
            let text = try text(of: string)
            guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw malformed }
            return .ia5(text)
        case V_ASN1_SEQUENCE: return .sequence(bytes(of: string))
        case V_ASN1_SET: return .set(bytes(of: string))
        default: throw malformed
        }
    }

    private static func bytes(of string: UnsafeMutablePointer<ASN1_STRING>?) -> Data {
        guard let string, let start = ASN1_STRING_get0_data(string) else { return Data() }
        return Data(bytes: start, count: Int(ASN1_STRING_length(string)))
    }

    private static func text(of string: UnsafeMutablePointer<ASN1_STRING>?) throws -> String {
        guard let text = String(validating: bytes(of: string), as: UTF8.self) else {
            throw malformed
        }
        return text
    }

    // MARK: Writing

    private static func write(
        _ encode: (inout UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws -> Data {
        var buffer: UnsafeMutablePointer<UInt8>? = nil
        let length = encode(&buffer)
        guard length > 0, let buffer else { throw SecurityError.library("writing ASN.1") }
        defer { CRYPTO_free(buffer, #file, #line) }
        return Data(bytes: buffer, count: Int(length))
    }

    private static func string(
        _ data: Data, type: Int32,
        _ encode: (UnsafePointer<ASN1_STRING>, inout UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws -> Data {
        guard let string = ASN1_STRING_type_new(type) else {
            throw SecurityError.library("writing ASN.1")
        }
        defer { ASN1_STRING_free(string) }
        let isSet = data.withUnsafeBytes {
            ASN1_STRING_set(string, $0.baseAddress, Int32($0.count))
        }
        guard isSet == 1 else { throw SecurityError.library("writing ASN.1") }
        return try write { encode(string, &$0) }
    }

    private static func list(
        _ values: [DERValue],
        _ encode: (OpaquePointer, inout UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws -> Data {
        guard let list = OPENSSL_sk_new_null() else {
            throw SecurityError.library("writing ASN.1")
        }
        defer { cstore_free_values(list) }
        for value in values {
            let element = try read(try value.der(), free: ASN1_TYPE_free) {
                d2i_ASN1_TYPE(nil, &$0, $1)
            }
            guard OPENSSL_sk_push(list, UnsafeRawPointer(element)) > 0 else {
                ASN1_TYPE_free(element)
                throw SecurityError.library("writing ASN.1")
            }
        }
        return try write { encode(list, &$0) }
    }
}
