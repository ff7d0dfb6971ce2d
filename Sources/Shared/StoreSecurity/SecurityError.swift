import CStoreCrypto

/// What can be wrong with keys, certificates, signatures and sealed tokens.
///
/// `description` is safe to show to anyone; `debugDescription` adds what OpenSSL said.
package struct SecurityError: Error, Sendable, Equatable, CustomStringConvertible,
    CustomDebugStringConvertible
{
    package struct Code: Sendable, Hashable {
        fileprivate enum Value { case malformed, untrusted, badSignature, library }
        fileprivate let value: Value

        /// The bytes don't have the form they should have.
        package static let malformed = Code(value: .malformed)
        /// The certificates don't lead to the trusted root, or aren't meant for this use.
        package static let untrusted = Code(value: .untrusted)
        /// The signature doesn't belong to these bytes.
        package static let badSignature = Code(value: .badSignature)
        /// The cryptographic library refused an operation.
        package static let library = Code(value: .library)
    }

    package let code: Code
    package let description: String
    private let detail: String

    package init(_ code: Code, _ description: String, detail: String = "") {
        self.code = code
        self.description = description
        self.detail = detail
    }

    package var debugDescription: String {
        detail.isEmpty ? description : "\(description) (\(detail))"
    }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// An operation of OpenSSL failed; empties its error queue into the detail.
    static func library(_ operation: String) -> SecurityError {
        var reasons: [String] = []
        while case let number = ERR_get_error(), number != 0 {
            var buffer = [CChar](repeating: 0, count: 256)
            ERR_error_string_n(number, &buffer, buffer.count)
            let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
            reasons.append(
                String(decoding: buffer[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        return SecurityError(
            .library, "\(operation) failed", detail: reasons.joined(separator: "; "))
    }
}
