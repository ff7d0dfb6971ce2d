import CStoreCrypto
import Foundation

/// Passwords, kept as scrypt hashes (RFC 7914).
///
/// The stored form is `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, salt and hash in
/// URL-safe base64, so that costs can rise without breaking older hashes.
package enum PasswordHash {
    /// The cost that passwords of people are hashed with: 16 MiB and about 50 ms.
    package static let standardLogN = 14
    private static let r: UInt64 = 8
    private static let p: UInt64 = 1

    /// Hashes a password with a fresh salt.
    ///
    /// - Parameter logN: the binary logarithm of the cost, 10 to 20.
    package static func make(_ password: String, logN: Int = standardLogN) throws -> String {
        let salt = try SecureRandom.bytes(16)
        let hash = try scrypt(password, salt: salt, logN: logN, r: r, p: p)
        return "scrypt$\(logN)$\(r)$\(p)$\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
    }

    /// What looks like the hash of a password and belongs to none.
    package static func makeDecoy(logN: Int = standardLogN) throws -> String {
        let salt = Base64URL.encode(try SecureRandom.bytes(16))
        return "scrypt$\(logN)$\(r)$\(p)$\(salt)$\(Base64URL.encode(try SecureRandom.bytes(32)))"
    }

    /// Whether the password is the one that was hashed; false for a malformed hash.
    package static func verify(_ password: String, against stored: String) -> Bool {
        let fields = stored.utf8
            .split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard fields.count == 6, fields[0] == "scrypt", let logN = Int(fields[1]),
            (10...20).contains(logN), let r = UInt64(fields[2]), let p = UInt64(fields[3]),
            let salt = Base64URL.decode(fields[4]), let expected = Base64URL.decode(fields[5]),
            let actual = try? scrypt(password, salt: salt, logN: logN, r: r, p: p),
            actual.count == expected.count
        else { return false }
        return constantTimeEqual(actual, expected)
    }

    private static func scrypt(
        _ password: String, salt: Data, logN: Int, r: UInt64, p: UInt64
    ) throws -> Data {
        OpenSSLLibrary.ready
        let characters = Array(password.utf8).map(CChar.init(bitPattern:))
        var key = Data(count: 32)
        let result = salt.withUnsafeBytes { salt in
            key.withUnsafeMutableBytes { key in
                EVP_PBE_scrypt(
                    characters, characters.count,
                    salt.bindMemory(to: UInt8.self).baseAddress, salt.count,
                    UInt64(1) << UInt64(logN), r, p, 128 << 20,
                    key.bindMemory(to: UInt8.self).baseAddress, key.count)
            }
        }
        guard result == 1 else { throw SecurityError.library("scrypt") }
        return key
    }
}

/// Compares secrets in constant time, so that no timing attack finds one: the duration does not tell where
/// they differ.
package func constantTimeEqual(_ left: Data, _ right: Data) -> Bool {
    guard left.count == right.count else { return false }
    return left.withUnsafeBytes { left in
        right.withUnsafeBytes { right in
            left.isEmpty || CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}
