import CStoreCrypto
import Foundation

/// The certificates that a request of OCSP asks about. A signature of who asks is of no
/// interest.
final class OCSPQuestions {
    let pointer: OpaquePointer
    let count: Int32

    /// Nil for bytes that are no request, or one that asks about nothing or too much.
    init?(_ der: Data, limit: Int) {
        OpenSSLLibrary.ready
        guard der.count <= OCSPResponder.sizeLimit, let pointer = Self.read(der) else {
            ERR_clear_error()
            return nil
        }
        let count = OCSP_request_onereq_count(pointer)
        guard (1...limit).contains(Int(count)) else {
            OCSP_REQUEST_free(pointer)
            return nil
        }
        self.pointer = pointer
        self.count = count
    }

    deinit {
        OCSP_REQUEST_free(pointer)
    }

    private static func read(_ der: Data) -> OpaquePointer? {
        der.withUnsafeBytes { bytes in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
            var position: UnsafePointer<UInt8>? = base
            guard let request = d2i_OCSP_REQUEST(nil, &position, bytes.count) else { return nil }
            guard position == base + bytes.count else {
                OCSP_REQUEST_free(request)
                return nil
            }
            return request
        }
    }

    /// What identifies the certificate of a question; it belongs to the request.
    func identifier(at index: Int32) -> OpaquePointer? {
        OCSP_request_onereq_get0(pointer, index).flatMap { OCSP_onereq_get0_id($0) }
    }

    func serial(at index: Int32) -> CertificateSerial? {
        var serial: UnsafeMutablePointer<ASN1_INTEGER>? = nil
        guard OCSP_id_get0_info(nil, nil, nil, &serial, identifier(at: index)) == 1 else {
            return nil
        }
        return CertificateSerial(serial)
    }

    /// Whether a question is about a certificate of an authority: the hashes of its name and
    /// its key are compared, of the kind that the question has. SHA-1 and SHA-256 are known.
    func isAbout(_ authority: Certificate, at index: Int32) -> Bool {
        guard let identifier = identifier(at: index) else { return false }
        var algorithm: OpaquePointer? = nil
        guard OCSP_id_get0_info(nil, &algorithm, nil, nil, identifier) == 1 else { return false }
        let digest: OpaquePointer?
        switch OBJ_obj2nid(algorithm) {
        case NID_sha1: digest = EVP_sha1()
        case NID_sha256: digest = EVP_sha256()
        default: return false
        }
        let ours = OCSP_cert_id_new(
            digest, X509_get_subject_name(authority.pointer),
            X509_get0_pubkey_bitstr(authority.pointer), X509_get0_serialNumber(authority.pointer))
        guard let ours else {
            ERR_clear_error()
            return false
        }
        defer { OCSP_CERTID_free(ours) }
        return OCSP_id_issuer_cmp(ours, identifier) == 0
    }
}
