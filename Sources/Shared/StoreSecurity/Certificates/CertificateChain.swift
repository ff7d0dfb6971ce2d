import CStoreCrypto
import Foundation

/// The certificates that came with a signature, before anything of them is trusted.
struct CertificateChain {
    let leaf: Certificate
    /// What may stand between the leaf and the root, in any order.
    let others: [Certificate]

    /// Checks that the chain is leaf, intermediate and root, that both carry their markers,
    /// and that strict X.509 rules accept it at a time.
    ///
    /// - Returns: leaf, intermediate and root, as they were found.
    /// - Throws: `SecurityError.Code.untrusted`.
    @discardableResult
    func check(below root: Certificate, at date: Date) throws -> [Certificate] {
        guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new(),
            let untrusted = OPENSSL_sk_new_null()
        else { throw SecurityError.library("certificate check") }
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
            OPENSSL_sk_free(untrusted)
        }
        X509_STORE_add_cert(store, root.pointer)
        // A STACK_OF(X509) is an OPENSSL_STACK of pointers under another name.
        for other in others { OPENSSL_sk_push(untrusted, UnsafeRawPointer(other.pointer)) }
        guard X509_STORE_CTX_init(context, store, leaf.pointer, untrusted) == 1,
            let parameters = X509_STORE_CTX_get0_param(context),
            let seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down))
        else { throw SecurityError.library("certificate check") }
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_X509_STRICT))
        X509_VERIFY_PARAM_set_time(parameters, seconds)
        guard X509_verify_cert(context) == 1 else {
            let reason = String(
                cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context))))
            ERR_clear_error()
            throw SecurityError(
                .untrusted, "the statement was not signed by this store", detail: reason)
        }
        let intermediate = try intermediate(of: X509_STORE_CTX_get0_chain(context))
        return [leaf, intermediate, root]
    }

    /// What stands between leaf and root in the chain that OpenSSL found: three certificates
    /// with the markers of their roles.
    private func intermediate(of chain: OpaquePointer?) throws -> Certificate {
        guard leaf.hasExtension(CertificateMarker.leaf), OPENSSL_sk_num(chain) == 3,
            let above = OPENSSL_sk_value(chain, 1).map({ OpaquePointer($0) }),
            cstore_has_extension(above, CertificateMarker.intermediate) == 1
        else {
            throw SecurityError(.untrusted, "the certificates are not meant for signed data")
        }
        X509_up_ref(above)
        return Certificate(pointer: above)
    }
}

extension [Certificate] {
    /// Checks that none of a chain was taken back.
    ///
    /// - Throws: `SecurityError.Code.untrusted`.
    func check(isRevoked: (Certificate) -> Bool) throws {
        // The root can't be: what trusts it does not ask.
        guard !dropLast().contains(where: isRevoked) else {
            throw SecurityError(.untrusted, "the key that signed it was revoked")
        }
    }
}
