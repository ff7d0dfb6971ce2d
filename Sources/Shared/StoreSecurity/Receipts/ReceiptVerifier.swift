import CStoreCrypto
import Foundation
import StoreKernel

/// Receipt validation: checks receipts against one trusted root.
package struct ReceiptVerifier: Sendable {
    /// Larger files are refused unread, in bytes: room for more than ten thousand purchases.
    package static let sizeLimit = 8 << 20
    private static let certificateLimit = 8

    /// What receipts call their environment that Xcode makes for tests.
    private static let xcode = "Xcode"

    let root: Certificate
    private let isRevoked: @Sendable (Certificate) -> Bool
    private let chains = VerifiedChains()
    /// Receipts whose signatures were found to be right, by the digest of their bytes.
    ///
    /// Publishers' servers send the same receipt again and again, and reading its certificates takes
    /// longer than all the rest of an answer. Whether something of the chain was taken back since is
    /// asked each time.
    private let receipts = Cache<String, Verified>(limit: 8 << 20, cost: { $1.size })

    private struct Verified {
        let receipt: AppReceipt
        /// Leaf, intermediate and root.
        let chain: [Certificate]
        /// In bytes.
        let size: Int
    }

    /// - Parameter isRevoked: asked for leaf and intermediate of each receipt; where it is
    ///   missing, nobody says that one was taken back.
    package init(
        root: Certificate, isRevoked: @escaping @Sendable (Certificate) -> Bool = { _ in false }
    ) {
        self.root = root
        self.isRevoked = isRevoked
    }

    /// The receipt, once its signature leads to the root at the time when it was made.
    ///
    /// Which app and device it is for is for the caller to compare.
    ///
    /// - Throws: `SecurityError` with `malformed`, also for what Xcode made, `untrusted` or
    ///   `badSignature`.
    package func verify(_ der: Data) throws -> AppReceipt {
        let digest = SHA256Digest.hex(der)
        if let known = receipts.value(for: digest) {
            try known.chain.check(isRevoked: isRevoked)
            return known.receipt
        }
        let message = try SignedReceipt(der)
        let receipt = try AppReceipt(payload: message.payload)
        let chain: [Certificate]
        do {
            chain = try check(message.chain, at: receipt.creationDate)
        } catch {
            guard receipt.type != Self.xcode else {
                throw SecurityError(.malformed, "the receipt was made by Xcode, for tests")
            }
            throw error
        }
        try message.checkSignature()
        receipts.insert(
            Verified(receipt: receipt, chain: chain, size: der.count), for: digest)
        return receipt
    }

    /// Checks that a chain leads to the root, and that nothing of it was taken back. Receipts of a
    /// store carry the same certificates until its key changes.
    ///
    /// - Returns: leaf, intermediate and root.
    @discardableResult
    func check(_ chain: CertificateChain, at date: Date) throws -> [Certificate] {
        let certificates = try ([chain.leaf] + chain.others).map { try $0.der() }
        if let known = chains.chain(of: certificates, at: date) {
            try known.check(isRevoked: isRevoked)
            return known
        }
        let found = try chain.check(below: root, at: date)
        chains.add(certificates, found)
        try found.check(isRevoked: isRevoked)
        return found
    }

    /// CMS SignedData in its parts, nothing of it verified yet.
    private final class SignedReceipt {
        private let cms: OpaquePointer
        let payload: Data
        let chain: CertificateChain

        init(_ der: Data) throws {
            OpenSSLLibrary.ready
            guard der.count <= sizeLimit else {
                throw SecurityError(.malformed, "the receipt has more than \(sizeLimit) bytes")
            }
            guard let cms = Self.read(der) else {
                ERR_clear_error()
                throw SecurityError(.malformed, "the receipt is not signed data in CMS form")
            }
            do {
                self.payload = try Self.payload(of: cms)
                self.chain = try Self.chain(of: cms)
            } catch {
                CMS_ContentInfo_free(cms)
                ERR_clear_error()
                throw error
            }
            self.cms = cms
        }

        deinit {
            CMS_ContentInfo_free(cms)
        }

        /// Checks that the key of the chain's leaf has signed the payload; nothing about the leaf.
        func checkSignature() throws {
            let flags = UInt32(CMS_NO_SIGNER_CERT_VERIFY | CMS_BINARY)
            guard CMS_verify(cms, nil, nil, nil, nil, flags) == 1 else {
                ERR_clear_error()
                throw SecurityError(
                    .badSignature, "the signature does not belong to the receipt")
            }
        }

        private static func read(_ der: Data) -> OpaquePointer? {
            der.withUnsafeBytes { bytes in
                guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
                var position: UnsafePointer<UInt8>? = base
                guard let cms = d2i_CMS_ContentInfo(nil, &position, bytes.count) else {
                    return nil
                }
                guard position == base + bytes.count,
                    OBJ_obj2nid(CMS_get0_type(cms)) == NID_pkcs7_signed
                else {
                    CMS_ContentInfo_free(cms)
                    return nil
                }
                return cms
            }
        }

        private static func payload(of cms: OpaquePointer) throws -> Data {
            guard let content = CMS_get0_content(cms), let string = content.pointee,
                let start = ASN1_STRING_get0_data(string)
            else { throw SecurityError(.malformed, "the receipt has no content") }
            return Data(bytes: start, count: Int(ASN1_STRING_length(string)))
        }

        private static func chain(of cms: OpaquePointer) throws -> CertificateChain {
            let signers = CMS_get0_SignerInfos(cms)
            guard OPENSSL_sk_num(signers) == 1, let signer = OPENSSL_sk_value(signers, 0) else {
                throw SecurityError(.untrusted, "the receipt is not signed once")
            }
            let certificates = CMS_get1_certs(cms)
            defer { cstore_free_certificates(certificates) }
            let count = OPENSSL_sk_num(certificates)
            guard count >= 0, count <= certificateLimit else {
                throw SecurityError(.untrusted, "the receipt carries no or too many certificates")
            }
            var leaf: Certificate?
            var others: [Certificate] = []
            for index in 0..<count {
                guard let value = OPENSSL_sk_value(certificates, index) else { continue }
                let pointer = OpaquePointer(value)
                X509_up_ref(pointer)
                let certificate = Certificate(pointer: pointer)
                if CMS_SignerInfo_cert_cmp(OpaquePointer(signer), pointer) == 0 {
                    // Anybody can make a certificate of the same issuer and number.
                    guard leaf == nil else {
                        throw SecurityError(
                            .untrusted, "two certificates of the receipt have the same number")
                    }
                    leaf = certificate
                } else {
                    others.append(certificate)
                }
            }
            guard let leaf else {
                throw SecurityError(.untrusted, "the receipt does not carry its certificate")
            }
            guard let key = X509_get0_pubkey(leaf.pointer), ReceiptKey.isUsable(key) else {
                throw SecurityError(.untrusted, "the key of the receipt is not an RSA key")
            }
            // Else the library looks for the signer's certificate by itself.
            CMS_SignerInfo_set1_signer_cert(OpaquePointer(signer), leaf.pointer)
            return CertificateChain(leaf: leaf, others: others)
        }
    }
}
