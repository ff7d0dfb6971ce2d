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
package enum CertificateRole: Sendable, Hashable {
    case root
    /// Vouches for servers under these names, right below it, and for nothing else: critical name
    /// constraints say so to whoever trusts it (RFC 5280, section 4.2.1.10).
    case serverRoot([ServerName])
    case intermediate
    /// Signs transactions or receipts.
    case leaf
    /// Shows who a server is, under these names.
    case server([ServerName])
}

/// An authority: a certificate and the key that signs in its name.
package typealias CertificateIssuer = (certificate: Certificate, key: SigningKey)

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
    ///   - days: how long it is valid from `start` on; it never outlives its issuer.
    ///   - ocspAddress: where one asks whether it was revoked; nil for nowhere.
    /// - Throws: `SecurityError` with `malformed` for an address that is none of HTTP.
    package static func issue(
        role: CertificateRole, name: String, organization: String, key: SigningKey,
        issuer: CertificateIssuer?, start: Date, days: Int, ocspAddress: String? = nil
    ) throws -> Certificate {
        try CertificateDraft(
            role: role, name: name, organization: organization, issuer: issuer, start: start,
            days: days, ocspAddress: ocspAddress
        ).issue(for: key.pointer)
    }

    /// Issues a certificate for the key that signs receipts: a leaf like the others, whose
    /// key is an RSA key.
    package static func issue(
        receiptLeaf name: String, organization: String, key: ReceiptKey,
        issuer: CertificateIssuer, start: Date, days: Int, ocspAddress: String? = nil
    ) throws -> Certificate {
        try CertificateDraft(
            role: .leaf, name: name, organization: organization, issuer: issuer, start: start,
            days: days, ocspAddress: ocspAddress
        ).issue(for: key.pointer)
    }
}

/// What a certificate is to say.
private struct CertificateDraft {
    let role: CertificateRole
    let name: String
    let organization: String
    /// Nil for a root.
    let issuer: CertificateIssuer?
    let start: Date
    let days: Int
    let ocspAddress: String?

    func issue(for key: OpaquePointer) throws -> Certificate {
        guard let pointer = X509_new() else { throw Self.failure() }
        do {
            try fill(pointer, for: key)
        } catch {
            X509_free(pointer)
            throw error
        }
        return Certificate(pointer: pointer)
    }

    private func fill(_ pointer: OpaquePointer, for key: OpaquePointer) throws {
        try Self.check(X509_set_version(pointer, 2))
        try setSerial(of: pointer)
        try setValidity(of: pointer)
        let subject = X509_get_subject_name(pointer)
        for (field, text) in [("O", organization), ("CN", name)] {
            let bytes = Array(text.utf8)
            try Self.check(
                X509_NAME_add_entry_by_txt(
                    subject, field, MBSTRING_FLAG | 0, bytes, Int32(bytes.count), -1, 0))
        }
        let above = issuer?.certificate.pointer ?? pointer
        try Self.check(X509_set_issuer_name(pointer, X509_get_subject_name(above)))
        try Self.check(X509_set_pubkey(pointer, key))
        for (nid, value) in try extensions() {
            try Self.check(cstore_add_extension(pointer, above, nid, value))
        }
        switch role {
        case .root, .serverRoot, .server: break
        case .intermediate:
            try Self.check(cstore_add_marker_extension(pointer, CertificateMarker.intermediate))
        case .leaf:
            try Self.check(cstore_add_marker_extension(pointer, CertificateMarker.leaf))
        }
        guard X509_sign(pointer, issuer?.key.pointer ?? key, EVP_sha256()) > 0 else {
            throw SecurityError.library("signing a certificate")
        }
    }

    /// 20 bytes at most, positive (RFC 5280, section 4.1.2.2).
    private func setSerial(of pointer: OpaquePointer) throws {
        var serial = try SecureRandom.bytes(16)
        serial[0] = serial[0] & 0x7f | 0x01
        let number = serial.withUnsafeBytes {
            BN_bin2bn($0.bindMemory(to: UInt8.self).baseAddress, 16, nil)
        }
        defer { BN_free(number) }
        guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil else {
            throw Self.failure()
        }
    }

    private func setValidity(of pointer: OpaquePointer) throws {
        guard let from = Int(exactly: start.timeIntervalSince1970.rounded(.down)) else {
            throw Self.failure()
        }
        var until = from + days * 86_400
        if let end = issuer?.certificate.validity?.upperBound,
            let last = Int(exactly: end.timeIntervalSince1970.rounded(.down))
        {
            until = min(until, last)
        }
        guard ASN1_TIME_set(X509_getm_notBefore(pointer), from) != nil,
            ASN1_TIME_set(X509_getm_notAfter(pointer), until) != nil
        else { throw Self.failure() }
    }

    /// The standard extensions in OpenSSL's notation.
    private func extensions() throws -> [(Int32, String)] {
        var list: [(Int32, String)] = []
        switch role {
        case .root:
            list.append((NID_basic_constraints, "critical,CA:TRUE"))
            list.append((NID_key_usage, "critical,keyCertSign,cRLSign"))
        case .serverRoot(let names):
            list.append((NID_basic_constraints, "critical,CA:TRUE,pathlen:0"))
            list.append((NID_key_usage, "critical,keyCertSign"))
            list.append((NID_ext_key_usage, "serverAuth"))
            let permitted = try names.map { name in
                guard let constraint = name.constraint else {
                    throw SecurityError(.malformed, "a root vouches for no pattern such as \(name)")
                }
                return "permitted;\(constraint)"
            }
            list.append(
                (NID_name_constraints, "critical,\(permitted.joined(separator: ","))"))
        case .intermediate:
            list.append((NID_basic_constraints, "critical,CA:TRUE,pathlen:0"))
            list.append((NID_key_usage, "critical,keyCertSign,cRLSign"))
        case .leaf:
            list.append((NID_basic_constraints, "critical,CA:FALSE"))
            list.append((NID_key_usage, "critical,digitalSignature"))
        case .server(let names):
            list.append((NID_basic_constraints, "critical,CA:FALSE"))
            list.append((NID_key_usage, "critical,digitalSignature"))
            list.append((NID_ext_key_usage, "serverAuth"))
            guard !names.isEmpty else {
                throw SecurityError(.malformed, "a server's certificate needs a name")
            }
            list.append(
                (NID_subject_alt_name, names.map(\.notation).joined(separator: ",")))
        }
        list.append((NID_subject_key_identifier, "hash"))
        if issuer != nil { list.append((NID_authority_key_identifier, "keyid:always")) }
        if let ocspAddress {
            guard Self.isAddress(ocspAddress) else {
                throw SecurityError(
                    .malformed, "\"\(ocspAddress)\" is no address of HTTP for a certificate")
            }
            list.append((NID_info_access, "OCSP;URI:\(ocspAddress)"))
        }
        return list
    }

    /// An address without anything that has a meaning in OpenSSL's notation.
    private static func isAddress(_ text: String) -> Bool {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil
        else { return false }
        return text.utf8.allSatisfy { byte in
            (0x21...0x7e).contains(byte) && !",;\"'\\#$@{}".utf8.contains(byte)
        }
    }

    private static func check(_ result: Int32) throws {
        guard result == 1 else { throw failure() }
    }

    private static func failure() -> SecurityError { .library("making a certificate") }
}
