import Foundation
import StoreHTTP
import StoreSecurity

/// The files with what clients are shown over TLS, which others write and replace.
package struct TLSFiles: Sendable, Hashable {
    /// The longest file, bytes.
    private static let limit = 1 << 20

    /// The certificate, and behind it those that vouch for it, in PEM.
    package var certificate: URL
    /// Its private key, in PEM, without a password.
    package var key: URL

    package init(certificate: URL, key: URL) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads both files, and looks whether they belong together.
    ///
    /// - Throws: `TLSFilesError`, which says nothing of what a key holds.
    func read() throws -> (certificate: ServerCertificate, end: Date?) {
        let chain = try text(of: certificate)
        let secret = try text(of: key)
        let first: Certificate
        do {
            guard let leaf = try Certificate.all(pem: chain).first else {
                throw TLSFilesError(
                    description: "\(certificate.path) holds no certificate in PEM form")
            }
            first = leaf
        } catch let error as SecurityError {
            throw TLSFilesError(description: "\(certificate.path): \(error.description)")
        }
        do {
            guard try first.belongs(toKey: secret) else {
                throw TLSFilesError(
                    description:
                        "the key in \(key.path) is not that of the first certificate in "
                        + "\(certificate.path); give the files of one certificate")
            }
        } catch let error as SecurityError {
            throw TLSFilesError(
                description: "\(key.path): \(error.description), or it has a password")
        }
        return (ServerCertificate(chain: chain, key: secret), first.validity?.upperBound)
    }

    private func text(of file: URL) throws -> String {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TLSFilesError(
                description: "\(file.path) can't be read: \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let data = try? handle.read(upToCount: Self.limit + 1), !data.isEmpty else {
            throw TLSFilesError(description: "\(file.path) is empty, or no file")
        }
        guard data.count <= Self.limit, let text = String(data: data, encoding: .utf8) else {
            throw TLSFilesError(description: "\(file.path) is no text in PEM form")
        }
        return text
    }

    /// What tells the files from those before them; nil while one is missing.
    var stamps: [FileStamp]? {
        let stamps = [certificate, key].compactMap { FileStamp($0.path) }
        return stamps.count == 2 ? stamps : nil
    }
}

/// What is wrong with the files for TLS.
package struct TLSFilesError: Error, Sendable, CustomStringConvertible {
    package let description: String
}
