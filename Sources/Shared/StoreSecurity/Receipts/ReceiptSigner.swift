import CStoreCrypto
import Foundation

/// Signs receipts: CMS SignedData (RFC 5652) in DER but for the order of its certificates, RSA with
/// SHA-256, with the certificates that lead to the store's root.
package struct ReceiptSigner: Sendable {
    /// A key with the certificates that lead to the root.
    package struct Identity: Sendable {
        let key: ReceiptKey
        let chain: [Certificate]

        /// - Parameter chain: leaf, intermediate, root.
        package init(key: ReceiptKey, chain: [Certificate]) {
            precondition(chain.count == 3, "a receipt carries leaf, intermediate and root")
            self.key = key
            self.chain = chain
        }
    }

    /// The identity that signs now.
    let identity: @Sendable () throws -> Identity

    /// - Parameter identity: asked for each signature, so that a key can be replaced.
    package init(_ identity: @escaping @Sendable () throws -> Identity) {
        self.identity = identity
    }

    /// - Parameter chain: leaf, intermediate, root.
    package init(key: ReceiptKey, chain: [Certificate]) {
        let identity = Identity(key: key, chain: chain)
        self.init { identity }
    }

    /// The certificate of the key that signs now: the same object until it is replaced.
    package func leaf() throws -> Certificate { try identity().chain[0] }

    /// The receipt as it lies on a device.
    package func sign(_ receipt: AppReceipt) throws -> Data {
        try sign(payload: try receipt.payload())
    }

    /// Signs any payload.
    ///
    /// There are no signed attributes, as in Apple's receipts: among them would be the time
    /// of the machine, while the time of a receipt is its creation date.
    func sign(payload: Data) throws -> Data {
        let failure = "signing a receipt"
        let identity = try identity()
        let flags = UInt32(CMS_BINARY | CMS_NOATTR)
        guard let cms = CMS_sign(nil, nil, nil, nil, flags | UInt32(CMS_PARTIAL)) else {
            throw SecurityError.library(failure)
        }
        defer { CMS_ContentInfo_free(cms) }
        guard
            CMS_add1_signer(
                cms, identity.chain[0].pointer, identity.key.pointer, EVP_sha256(), flags) != nil
        else { throw SecurityError.library(failure) }
        for certificate in identity.chain.dropFirst() {
            guard CMS_add1_cert(cms, certificate.pointer) == 1 else {
                throw SecurityError.library(failure)
            }
        }
        let isFinal = payload.withUnsafeBytes { bytes -> Int32 in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
                return 0
            }
            defer { BIO_free(bio) }
            return CMS_final(cms, bio, nil, flags)
        }
        guard isFinal == 1 else { throw SecurityError.library(failure) }
        var buffer: UnsafeMutablePointer<UInt8>? = nil
        let length = i2d_CMS_ContentInfo(cms, &buffer)
        guard length > 0, let buffer else { throw SecurityError.library(failure) }
        defer { CRYPTO_free(buffer, #file, #line) }
        return try Self.inOrder(identity.chain, Data(bytes: buffer, count: Int(length)))
    }

    /// Puts the certificates of an encoded message into the order of their chain.
    ///
    /// They are a set, which DER sorts by its bytes, and the library with it. Apple's receipts have
    /// the leaf first, and there are readers that take the first one for the signer's. RFC 5652
    /// asks for BER, where a set has any order; nothing of it is signed.
    private static func inOrder(_ chain: [Certificate], _ message: Data) throws -> Data {
        let certificates = try chain.map { try $0.der() }
        let sorted = certificates.sorted { $0.lexicographicallyPrecedes($1) }
        // The last such place: the content, which stands before it, may hold any bytes.
        guard let place = message.range(of: Data(sorted.joined()), options: .backwards) else {
            throw SecurityError(.library, "the certificates of a receipt are not in DER's order")
        }
        var message = message
        message.replaceSubrange(place, with: Data(certificates.joined()))
        return message
    }
}
