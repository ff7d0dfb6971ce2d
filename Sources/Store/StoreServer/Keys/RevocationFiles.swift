import Foundation
import StoreKernel
import StoreSecurity
import Synchronization

/// The files that say which certificates are revoked (revocation list).
///
/// Each request with a signature asks. So the folder is listed once, and the list kept until the folder
/// changes: a revocation by this process or another takes effect at once.
final class RevocationFiles: Sendable {
    /// The folder, and when its files changed last (`ctime`, which no tool can set).
    private struct Version: Equatable {
        let device: UInt
        let number: UInt
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            device = status.st_dev
            number = status.st_ino
            seconds = status.st_ctim.tv_sec
            nanoseconds = status.st_ctim.tv_nsec
        }
    }

    private struct Listing {
        let version: Version
        let serials: Set<CertificateSerial>
    }

    /// Two changes within this many seconds can leave the same time, because file systems' clocks are
    /// coarse.
    static let settlingTime = 2

    private let path: String
    private let status: @Sendable (String) -> stat?
    private let now: @Sendable () -> Int
    private let listing = Mutex<Listing?>(nil)

    /// - Parameters:
    ///   - status: reads the folder's status (`stat`); nil if there is no folder.
    ///   - now: reads the clock, in seconds since 1970. The file system must use the same clock.
    init(
        folder: URL, status: @escaping @Sendable (String) -> stat? = RevocationFiles.status,
        now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        path = folder.path
        self.status = status
        self.now = now
    }

    @Sendable static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    static func name(_ serial: CertificateSerial) -> String { "\(serial).revoked" }

    /// Nil unless the name is exactly what `name(_:)` gives.
    static func serial(_ name: String) -> CertificateSerial? {
        guard let serial = name.dropping(suffix: ".revoked").flatMap({ CertificateSerial($0) }),
            Self.name(serial) == name
        else { return nil }
        return serial
    }

    func contains(_ serial: CertificateSerial) -> Bool {
        guard let version = status(path).map(Version.init) else { return false }
        let known = listing.withLock { $0?.version == version ? $0?.serials : nil }
        if let known { return known.contains(serial) }
        guard now() - version.seconds > Self.settlingTime,
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return access("\(path)/\(Self.name(serial))", F_OK) == 0 }
        let serials = Set(names.compactMap(Self.serial))
        listing.withLock { $0 = Listing(version: version, serials: serials) }
        return serials.contains(serial)
    }
}
