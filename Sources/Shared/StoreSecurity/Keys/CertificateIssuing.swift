import CStoreCrypto
import Foundation

/// The object identifiers that mark Apple's certificates for signed data. Apple's own
/// verification libraries refuse a chain without them.
package enum CertificateMarker {
    /// On the certificate whose key signs transactions.
    package static let leaf = "1.2.840.113635.100.6.11.1"
    /// On the certificate above it.
    package static let intermediate = "1.2.840.113635.100.6.2.1"
}

/// What a certificate is for: decides its extensions.
package enum CertificateRole: Sendable {
    case root
    case intermediate
    case leaf
}

extension Certificate {
    /// Issues a certificate for `key`.
    ///
    /// The extensions are those that strict X.509 checks and Apple's libraries ask for:
    /// critical basic constraints and key usage everywhere, subject and authority key
    /// identifiers, and the marker of the role.
    ///
    /// - Parameters:
    ///   - name: the subject's common name.
    ///   - issuer: certificate and key of the authority above; nil for a root, which
    ///     signs itself.
    ///   - days: how long it is valid from `start` on.
    package static func issue(
        role: CertificateRole, name: String, organization: String, key: SigningKey,
        issuer: (certificate: Certificate, key: SigningKey)?, start: Date, days: Int
    ) throws -> Certificate {
        try issue(
            role: role, name: name, organization: organization, key: key.pointer,
            issuer: issuer, start: start, days: days)
    }

    /// Issues a certificate for the key that signs receipts: a leaf like the others, whose
    /// key is an RSA key.
    package static func issue(
        receiptLeaf name: String, organization: String, key: ReceiptKey,
        issuer: (certificate: Certificate, key: SigningKey), start: Date, days: Int
    ) throws -> Certificate {
        try issue(
            role: .leaf, name: name, organization: organization, key: key.pointer,
            issuer: issuer, start: start, days: days)
    }

    private static func issue(
        role: CertificateRole, name: String, organization: String, key: OpaquePointer,
        issuer: (certificate: Certificate, key: SigningKey)?, start: Date, days: Int
    ) throws -> Certificate {
        guard let pointer = X509_new() else { throw SecurityError.library("making a certificate") }
        let certificate = Certificate(pointer: pointer)
        func check(_ result: Int32) throws {
            guard result == 1 else { throw SecurityError.library("making a certificate") }
        }
        try check(X509_set_version(pointer, 2))

        // 20 bytes at most, positive (RFC 5280, section 4.1.2.2).
        var serial = try SecureRandom.bytes(16)
        serial[0] = serial[0] & 0x7f | 0x01
        let number = serial.withUnsafeBytes {
            BN_bin2bn($0.bindMemory(to: UInt8.self).baseAddress, 16, nil)
        }
        defer { BN_free(number) }
        guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil else {
            throw SecurityError.library("making a certificate")
        }

        let from = Int(start.timeIntervalSince1970.rounded(.down))
        let until = from + days * 86_400
        guard ASN1_TIME_set(X509_getm_notBefore(pointer), from) != nil,
            ASN1_TIME_set(X509_getm_notAfter(pointer), until) != nil
        else { throw SecurityError.library("making a certificate") }

        let subject = X509_get_subject_name(pointer)
        for (field, text) in [("O", organization), ("CN", name)] {
            let bytes = Array(text.utf8)
            try check(
                X509_NAME_add_entry_by_txt(
                    subject, field, MBSTRING_FLAG | 0, bytes, Int32(bytes.count), -1, 0))
        }
        let above = issuer?.certificate.pointer ?? pointer
        try check(X509_set_issuer_name(pointer, X509_get_subject_name(above)))
        try check(X509_set_pubkey(pointer, key))

        var extensions: [(Int32, String)] = []
        switch role {
        case .root:
            extensions.append((NID_basic_constraints, "critical,CA:TRUE"))
            extensions.append((NID_key_usage, "critical,keyCertSign,cRLSign"))
        case .intermediate:
            extensions.append((NID_basic_constraints, "critical,CA:TRUE,pathlen:0"))
            extensions.append((NID_key_usage, "critical,keyCertSign,cRLSign"))
        case .leaf:
            extensions.append((NID_basic_constraints, "critical,CA:FALSE"))
            extensions.append((NID_key_usage, "critical,digitalSignature"))
        }
        extensions.append((NID_subject_key_identifier, "hash"))
        if issuer != nil { extensions.append((NID_authority_key_identifier, "keyid:always")) }
        for (nid, value) in extensions {
            try check(cstore_add_extension(pointer, above, nid, value))
        }
        switch role {
        case .root: break
        case .intermediate:
            try check(cstore_add_marker_extension(pointer, CertificateMarker.intermediate))
        case .leaf:
            try check(cstore_add_marker_extension(pointer, CertificateMarker.leaf))
        }

        guard X509_sign(pointer, issuer?.key.pointer ?? key, EVP_sha256()) > 0 else {
            throw SecurityError.library("signing a certificate")
        }
        return certificate
    }
}
