import Foundation
import StoreKernel
import StoreSecurity
import Synchronization

/// The files that say which certificates are revoked (revocation list).
///
/// Each request with a signature asks. So the folder is listed once, and the list kept until the folder
/// changes: a revocation by this process or another takes effect at once.
final class RevocationFiles: Sendable {
    /// Modification time and change time of the folder (`mtime`, `ctime`). Tools that copy folders can set
    /// the first one, but not the second.
    private struct Version: Equatable {
        let modified: Int
        let modifiedNanoseconds: Int
        let changed: Int
        let changedNanoseconds: Int

        init(_ status: stat) {
            modified = status.st_mtim.tv_sec
            modifiedNanoseconds = status.st_mtim.tv_nsec
            changed = status.st_ctim.tv_sec
            changedNanoseconds = status.st_ctim.tv_nsec
        }
    }

    private struct Listing {
        let version: Version
        let serials: Set<CertificateSerial>
    }

    /// Two changes within this many seconds can leave the same times: those of file systems are coarse.
    private static let settlingTime = 2

    private let path: String
    private let now: @Sendable () -> Int
    private let listing = Mutex<Listing?>(nil)

    /// - Parameter now: seconds since 1970 by the clock of the file system.
    init(folder: URL, now: @escaping @Sendable () -> Int = { time(nil) }) {
        path = folder.path
        self.now = now
    }

    static func name(_ serial: CertificateSerial) -> String { "\(serial).revoked" }

    /// Nil for a name that `name(_:)` gives to no certificate.
    static func serial(_ name: String) -> CertificateSerial? {
        guard let serial = name.dropping(suffix: ".revoked").flatMap({ CertificateSerial($0) }),
            Self.name(serial) == name
        else { return nil }
        return serial
    }

    func contains(_ serial: CertificateSerial) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        let version = Version(status)
        let known = listing.withLock { $0?.version == version ? $0?.serials : nil }
        if let known { return known.contains(serial) }
        guard now() - max(version.modified, version.changed) > Self.settlingTime,
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return access("\(path)/\(Self.name(serial))", F_OK) == 0 }
        let serials = Set(names.compactMap(Self.serial))
        listing.withLock { $0 = Listing(version: version, serials: serials) }
        return serials.contains(serial)
    }
}
