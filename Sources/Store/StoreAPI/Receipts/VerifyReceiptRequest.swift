import Foundation
import StoreWire

/// The body of `POST /verifyReceipt`, as clients of all kinds write it.
struct VerifyReceiptRequest: Sendable, Hashable {
    /// The receipt; nil where there is none, or none that is base64.
    let receipt: Data?
    /// The shared secret, empty where it is no text; nil for none.
    let password: String?
    let excludesOldTransactions: Bool

    /// - Throws: `WireFormatError` for what is no JSON object.
    init(_ body: Data) throws {
        let value = try JSONValue(reading: body)
        guard case .object(let members) = value else {
            throw WireFormatError("the body is not a JSON object")
        }
        receipt = members["receipt-data"]?.text.flatMap { Self.decoded($0) }
        password =
            switch members["password"] {
            case nil, .null: nil
            case .string(let text): text
            default: ""
            }
        excludesOldTransactions =
            switch members["exclude-old-transactions"] {
            case .bool(true), .number(1), .string("true"), .string("1"): true
            default: false
            }
    }

    /// Base64 as programs write it: some break it into lines.
    private static func decoded(_ text: String) -> Data? {
        let data =
            Data(base64Encoded: text)
            ?? Data(base64Encoded: String(text.unicodeScalars.filter { !isSpace($0) }))
        guard let data, !data.isEmpty else { return nil }
        return data
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        [" ", "\t", "\r", "\n"].contains(scalar)
    }
}
