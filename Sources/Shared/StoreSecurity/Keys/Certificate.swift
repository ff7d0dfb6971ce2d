import CStoreCrypto
import Foundation

/// An X.509 certificate.
package final class Certificate: @unchecked Sendable {
    // Sendable: never changed after `init`; OpenSSL counts references atomically and
    // fills its caches of a certificate under a lock.
    let pointer: OpaquePointer

    init(pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        X509_free(pointer)
    }

    /// Reads DER; trailing bytes are refused.
    package convenience init(der: Data) throws {
        OpenSSLLibrary.ready
        let certificate: OpaquePointer? = der.withUnsafeBytes { bytes in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
            var position: UnsafePointer<UInt8>? = base
            guard let certificate = d2i_X509(nil, &position, bytes.count) else { return nil }
            guard position == base + bytes.count else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        guard let certificate else {
            ERR_clear_error()
            throw SecurityError(.malformed, "the bytes are not a certificate")
        }
        self.init(pointer: certificate)
    }

    /// Reads the first certificate of a PEM file.
    package convenience init(pem: String) throws {
        OpenSSLLibrary.ready
        guard let bio = reader(of: pem) else {
            throw SecurityError.library("reading a certificate")
        }
        defer { BIO_free(bio) }
        guard let pointer = PEM_read_bio_X509(bio, nil, noPassword, nil) else {
            ERR_clear_error()
            throw SecurityError(.malformed, "the file holds no certificate in PEM form")
        }
        self.init(pointer: pointer)
    }

    package func der() throws -> Data {
        var buffer: UnsafeMutablePointer<UInt8>? = nil
        let length = i2d_X509(pointer, &buffer)
        guard length > 0, let buffer else { throw SecurityError.library("writing a certificate") }
        defer { CRYPTO_free(buffer, #file, #line) }
        return Data(bytes: buffer, count: Int(length))
    }

    package func pem() throws -> String {
        guard let bio = BIO_new(BIO_s_mem()) else {
            throw SecurityError.library("writing a certificate")
        }
        defer { BIO_free(bio) }
        guard PEM_write_bio_X509(bio, pointer) == 1 else {
            throw SecurityError.library("writing a certificate")
        }
        return contents(of: bio)
    }

    /// When it is valid; nil where it does not say so in a form that can be read.
    var validity: ClosedRange<Date>? {
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

    /// Whether it carries an extension with this object identifier.
    package func hasExtension(_ oid: String) -> Bool {
        cstore_has_extension(pointer, oid) == 1
    }
}
