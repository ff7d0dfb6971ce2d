import StoreContent
import StoreModel
import StoreSecurity

/// SHA-256 by OpenSSL, for what is too large for memory.
package struct ContentDigestStream: DigestStream {
    private let digest = SHA256Digest()

    package init() {}

    package func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }

    package func finish() -> ContentDigest {
        let text = SHA256Digest.hexadecimal(digest.finish())
        guard let digest = ContentDigest(text) else { preconditionFailure("64 digits") }
        return digest
    }
}
