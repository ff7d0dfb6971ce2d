import CStoreCrypto
import Foundation

extension Certificate {
    /// When it is valid; nil where it does not say so in a form that can be read.
    package var validity: ClosedRange<Date>? {
        func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
            var parts = tm()
            guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
            return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
        }
        guard let start = date(X509_get0_notBefore(pointer)),
            let end = date(X509_get0_notAfter(pointer)), start <= end
        else { return nil }
        return start...end
    }

    /// The common name of its subject; empty where it has none.
    package var name: String {
        var buffer = [CChar](repeating: 0, count: 256)
        let length = X509_NAME_get_text_by_NID(
            X509_get_subject_name(pointer), NID_commonName, &buffer, Int32(buffer.count))
        guard length > 0 else { return "" }
        return String(
            decoding: buffer.prefix(Int(length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether it carries an extension with this object identifier.
    package func hasExtension(_ oid: String) -> Bool {
        cstore_has_extension(pointer, oid) == 1
    }

    /// Where one asks whether it was revoked (RFC 6960): the addresses of its extension
    /// authority information access.
    package var ocspAddresses: [String] {
        guard let list = X509_get1_ocsp(pointer) else { return [] }
        defer { X509_email_free(list) }
        return (0..<OPENSSL_sk_num(list)).compactMap { index in
            OPENSSL_sk_value(list, index).map {
                String(cString: $0.assumingMemoryBound(to: CChar.self))
            }
        }
    }

    /// The DNS names and IP addresses that it was issued for.
    package var serverNames: [ServerName] {
        guard let extensionValue = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil)
        else { return [] }
        let list = OpaquePointer(extensionValue)
        defer { cstore_free_general_names(list) }
        return (0..<OPENSSL_sk_num(list)).compactMap { index in
            guard let value = OPENSSL_sk_value(list, index) else { return nil }
            return ServerName(value.assumingMemoryBound(to: GENERAL_NAME.self))
        }
    }

    /// The only names that servers below it can have, with those below its host names: what its
    /// critical name constraints permit.
    ///
    /// `nil` if it has none, if they say more than single names, or if they leave host names or
    /// addresses open: a kind of which none is permitted is not constrained (RFC 5280, section
    /// 4.2.1.10).
    package var permittedServerNames: Set<ServerName>? {
        var isCritical: Int32 = 0
        guard
            let value = X509_get_ext_d2i(pointer, NID_name_constraints, &isCritical, nil)
        else { return nil }
        let constraints = value.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
        defer { NAME_CONSTRAINTS_free(constraints) }
        guard isCritical == 1, let list = constraints.pointee.permittedSubtrees else { return nil }
        var (names, hasHost, hasAddress) = (Set<ServerName>(), false, false)
        for index in 0..<OPENSSL_sk_num(list) {
            guard let value = OPENSSL_sk_value(list, index),
                let base = value.assumingMemoryBound(to: GENERAL_SUBTREE.self).pointee.base,
                let name = ServerName(constraint: base)
            else { return nil }
            switch name {
            case .dns: hasHost = true
            case .address: hasAddress = true
            }
            names.insert(name)
        }
        return hasHost && hasAddress ? names : nil
    }

    /// Whether an authority issued it: by the names, the key identifiers and the signature.
    package func isIssued(by authority: Certificate) -> Bool {
        guard X509_check_issued(authority.pointer, pointer) == X509_V_OK,
            let key = X509_get0_pubkey(authority.pointer)
        else { return false }
        let isSigned = X509_verify(pointer, key) == 1
        ERR_clear_error()
        return isSigned
    }

    /// Whether another certificate was issued for the same key.
    package func hasKey(of other: Certificate) -> Bool {
        guard let key = X509_get0_pubkey(pointer), let same = X509_get0_pubkey(other.pointer)
        else { return false }
        let isSame = EVP_PKEY_eq(key, same) == 1
        ERR_clear_error()
        return isSame
    }

    /// Whether a private key is the one that it was issued for.
    package func belongs(to key: SigningKey) -> Bool { belongs(to: key.pointer) }

    /// Whether a private key is the one that it was issued for.
    package func belongs(to key: ReceiptKey) -> Bool { belongs(to: key.pointer) }

    private func belongs(to key: OpaquePointer) -> Bool {
        let isPair = X509_check_private_key(pointer, key) == 1
        ERR_clear_error()
        return isPair
    }
}
