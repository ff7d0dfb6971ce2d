import CStoreCrypto
import Foundation

/// The number that an authority gave a certificate, which no other one of it has.
package struct CertificateSerial: Hashable, Sendable, CustomStringConvertible {
    /// 20 bytes at most (RFC 5280, section 4.1.2.2), as upper-case hexadecimal digits.
    private static let longest = 40

    /// Upper-case hexadecimal digits, two for each byte, as `openssl x509 -serial` writes it.
    package let text: String

    package var description: String { text }

    /// Takes the number as people write it: hexadecimal digits of either case, with or without
    /// colons between the bytes. Nil for anything else.
    package init?(_ written: some StringProtocol) {
        let digits = written.uppercased().filter { $0 != ":" }
        let isHexadecimal = digits.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0)
        }
        guard isHexadecimal, !digits.isEmpty, digits.utf8.count <= Self.longest else { return nil }
        self.text = digits.utf8.count % 2 == 0 ? digits : "0" + digits
    }

    /// Nil for numbers that no certificate may have.
    init?(_ number: UnsafePointer<ASN1_INTEGER>?) {
        guard let number, let big = ASN1_INTEGER_to_BN(number, nil) else {
            ERR_clear_error()
            return nil
        }
        defer { BN_free(big) }
        guard BN_is_negative(big) == 0, let digits = BN_bn2hex(big) else { return nil }
        defer { CRYPTO_free(digits, #file, #line) }
        self.init(String(cString: digits))
    }
}
