import CStoreCrypto
import Foundation

/// An X.509 certificate.
package final class Certificate: @unchecked Sendable {
    // Sendable: never changed after `init`; OpenSSL counts references atomically and
    // fills its caches of a certificate under a lock.
    let pointer: OpaquePointer
    /// The issuer's number of this certificate; nil if it is negative or too long. It is stored because each
    /// signed request reads it.
    package let serial: CertificateSerial?

    /// Takes over a certificate that is finished, and frees it at the end.
    init(pointer: OpaquePointer) {
        self.pointer = pointer
        self.serial = CertificateSerial(X509_get0_serialNumber(pointer))
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

    /// Reads all certificates of a PEM file, in their order; none where it holds none.
    ///
    /// - Throws: `malformed` for a certificate that can't be read.
    package static func all(pem: String) throws -> [Certificate] {
        OpenSSLLibrary.ready
        guard let bio = reader(of: pem) else {
            throw SecurityError.library("reading a certificate")
        }
        defer { BIO_free(bio) }
        var found: [Certificate] = []
        while let pointer = PEM_read_bio_X509(bio, nil, noPassword, nil) {
            found.append(Certificate(pointer: pointer))
        }
        // The end of the file is told by an error, too.
        let isEnd = cstore_is_end_of_pem(ERR_peek_last_error()) == 1
        ERR_clear_error()
        guard isEnd else {
            throw SecurityError(.malformed, "the file holds a certificate that can't be read")
        }
        return found
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
}
