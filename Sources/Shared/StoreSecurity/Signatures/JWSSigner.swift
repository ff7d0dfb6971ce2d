import Foundation

/// Signs statements as JSON Web Signatures (RFC 7515) with ES256, carrying the
/// certificates that lead to the store's root in `x5c`.
package struct JWSSigner: Sendable {
    private let key: SigningKey
    private let chain: [String]
    private let untypedHeader: String

    /// - Parameter chain: leaf, intermediate, root: the three that verifiers count.
    package init(key: SigningKey, chain: [Certificate]) throws {
        precondition(chain.count == 3, "x5c holds leaf, intermediate and root")
        self.key = key
        self.chain = try chain.map { try $0.der().base64EncodedString() }
        self.untypedHeader = Self.header(chain: self.chain, type: nil)
    }

    /// The compact serialization of the signed payload.
    ///
    /// - Parameter type: the `typ` of the header, which keeps one kind of statement from
    ///   being taken for another; Apple's transactions have none.
    package func sign(_ payload: Data, type: String? = nil) throws -> String {
        let header = type == nil ? untypedHeader : Self.header(chain: chain, type: type)
        let message = "\(header).\(Base64URL.encode(payload))"
        let signature = try key.signature(for: Data(message.utf8))
        return "\(message).\(Base64URL.encode(signature))"
    }

    private struct Header: Encodable {
        var alg = "ES256"
        var typ: String?
        var x5c: [String]
    }

    private static func header(chain: [String], type: String?) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Header(typ: type, x5c: chain)) else {
            preconditionFailure("a header of strings is always encodable")
        }
        return Base64URL.encode(data)
    }
}
