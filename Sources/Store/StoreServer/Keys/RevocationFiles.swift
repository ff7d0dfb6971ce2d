import Foundation
import StoreKernel
import StoreSecurity
import Synchronization

/// The files that say which certificates are taken back (revocation list).
///
/// Each request with a signature asks. So the folder is listed once and the list kept until the folder's
/// modification time changes: whoever revokes a certificate, in this process or another, is heard at once.
final class RevocationFiles: Sendable {
    private struct Listing {
        /// Modification time of the folder, in seconds and nanoseconds.
        let seconds: Int
        let nanoseconds: Int
        let serials: Set<CertificateSerial>
    }

    /// A folder that changed less than these seconds ago can change again without another modification
    /// time: file systems don't count each nanosecond.
    private static let settlingTime = 2

    private let path: String
    private let listing = Mutex<Listing?>(nil)

    init(folder: URL) {
        path = folder.path
    }

    static func name(_ serial: CertificateSerial) -> String { "\(serial).revoked" }

    static func serial(_ name: String) -> CertificateSerial? {
        name.dropping(suffix: ".revoked").flatMap { CertificateSerial($0) }
    }

    func contains(_ serial: CertificateSerial) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let changed = status.st_mtim
        let known = listing.withLock { listing in
            listing.flatMap {
                $0.seconds == changed.tv_sec && $0.nanoseconds == changed.tv_nsec ? $0.serials : nil
            }
        }
        if let known { return known.contains(serial) }
        guard time(nil) - changed.tv_sec > Self.settlingTime,
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return access("\(path)/\(Self.name(serial))", F_OK) == 0 }
        let serials = Set(names.compactMap(Self.serial))
        listing.withLock {
            $0 = Listing(
                seconds: changed.tv_sec, nanoseconds: changed.tv_nsec, serials: serials)
        }
        return serials.contains(serial)
    }
}
