import Foundation
import Synchronization

/// Signs statements as JSON Web Signatures (RFC 7515) with ES256, carrying the
/// certificates that lead to the store's root in `x5c`.
package struct JWSSigner: Sendable {
    /// A key with the certificates that lead to the root.
    package final class Identity: Sendable {
        fileprivate let key: SigningKey
        private let chain: [String]
        /// When its certificate begins.
        package let start: Date
        /// Headers by the type in them, each made once: they are most of a statement.
        private let headers = Mutex<[String?: [UInt8]]>([:])

        /// - Parameter chain: leaf, intermediate, root: the three that verifiers count.
        package init(key: SigningKey, chain: [Certificate]) throws {
            precondition(chain.count == 3, "x5c holds leaf, intermediate and root")
            self.key = key
            start = chain[0].validity?.lowerBound ?? .distantPast
            self.chain = try chain.map { try $0.der().base64EncodedString() }
        }

        /// The header of statements of a type, in base64.
        fileprivate func header(_ type: String?) -> [UInt8] {
            headers.withLock { headers in
                if let header = headers[type] { return header }
                let header = Array(JWSSigner.header(chain: chain, type: type).utf8)
                headers[type] = header
                return header
            }
        }
    }

    /// The identity that signs now: the same object until its key is replaced.
    package let identity: @Sendable () throws -> Identity

    /// - Parameter identity: asked for each signature, so that a key can be replaced.
    package init(_ identity: @escaping @Sendable () throws -> Identity) {
        self.identity = identity
    }

    /// - Parameter chain: leaf, intermediate, root.
    package init(key: SigningKey, chain: [Certificate]) throws {
        let identity = try Identity(key: key, chain: chain)
        self.init { identity }
    }

    /// The compact serialization of the signed payload.
    ///
    /// - Parameter type: the `typ` of the header, which keeps one kind of statement from
    ///   being taken for another; Apple's transactions have none.
    package func sign(_ payload: Data, type: String? = nil) throws -> String {
        let identity = try identity()
        let header = identity.header(type)
        let room = header.count + Base64URL.room(for: payload.count) + Base64URL.room(for: 64) + 2
        return try payload.withUnsafeBytes { payload in
            try String(unsafeUninitializedCapacity: room) { text in
                var end = text.initialize(fromContentsOf: header)
                text[end] = UInt8(ascii: ".")
                end += 1
                end += Base64URL.encode(payload, into: text[end...])
                let message = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<end])
                text[end] = UInt8(ascii: ".")
                end += 1
                let rest = text[end...]
                end += try identity.key.withSignature(for: message) { signature in
                    Base64URL.encode(signature, into: rest)
                }
                return end
            }
        }
    }

    private struct Header: Encodable {
        var alg = "ES256"
        var typ: String?
        var x5c: [String]
    }

    fileprivate static func header(chain: [String], type: String?) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Header(typ: type, x5c: chain)) else {
            preconditionFailure("a header of strings is always encodable")
        }
        return Base64URL.encode(data)
    }
}
