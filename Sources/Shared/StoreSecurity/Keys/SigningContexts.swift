import CStoreCrypto
import Synchronization

/// Contexts of OpenSSL that sign with one key, kept for the next signature.
///
/// Making one takes about as long as the signature itself: OpenSSL 3 looks up its
/// implementation, and copies the key, each time.
final class SigningContexts: Sendable {
    /// As many as may sign at a time on any machine; others are made and thrown away.
    private static let capacity = 64

    private let idle = Mutex<[Context]>([])

    /// One context.
    private final class Context: @unchecked Sendable {
        // Sendable: it is in the list of idle ones, or with the one thread that has taken it.
        let pointer: OpaquePointer

        init(key: OpaquePointer) throws {
            guard let pointer = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else {
                throw SecurityError.library("signing")
            }
            self.pointer = pointer
            guard EVP_PKEY_sign_init(pointer) == 1,
                EVP_PKEY_CTX_set_signature_md(pointer, EVP_sha256()) == 1
            else { throw SecurityError.library("signing") }
        }

        deinit {
            EVP_PKEY_CTX_free(pointer)
        }
    }

    /// Signs a digest of SHA-256: ECDSA in DER, into a buffer.
    ///
    /// - Parameter key: always the same.
    /// - Returns: the signature's length.
    func sign(
        _ digest: UnsafeRawBufferPointer, by key: OpaquePointer,
        into signature: UnsafeMutableBufferPointer<UInt8>
    ) throws -> Int {
        let context = try idle.withLock { $0.popLast() } ?? Context(key: key)
        var length = signature.count
        let result = EVP_PKEY_sign(
            context.pointer, signature.baseAddress, &length,
            digest.bindMemory(to: UInt8.self).baseAddress, digest.count)
        // One that has failed is not used again.
        guard result == 1 else { throw SecurityError.library("signing") }
        idle.withLock { if $0.count < Self.capacity { $0.append(context) } }
        return length
    }
}
