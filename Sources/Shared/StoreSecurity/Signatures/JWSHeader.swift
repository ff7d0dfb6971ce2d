import Foundation

/// What the header of a signed text says (RFC 7515, section 4).
package struct JWSHeader: Sendable {
    /// The identifier of the key.
    package let kid: String?
    package let typ: String?
    /// Certificates in Base64, the signer's first.
    package let x5c: [String]?

    private struct Fields: Decodable {
        var alg: String
        var kid: String?
        var typ: String?
        var x5c: [String]?
        /// Extensions that must be understood (RFC 7515, section 4.1.11); none is here.
        var crit: [String]?
    }

    /// - Parameter name: what errors call the text.
    /// - Throws: `SecurityError` with `malformed`, or `untrusted` for another algorithm than
    ///   ES256 and for extensions.
    package init(_ data: Data, of name: String) throws {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: data) else {
            throw SecurityError(
                .malformed, "the \(name) has no header that can be read")
        }
        guard fields.alg == "ES256" else {
            throw SecurityError(.untrusted, "the \(name) is not signed with ES256")
        }
        guard fields.crit == nil else {
            throw SecurityError(.untrusted, "the \(name) asks for extensions that nobody knows")
        }
        (kid, typ, x5c) = (fields.kid, fields.typ, fields.x5c)
    }
}
