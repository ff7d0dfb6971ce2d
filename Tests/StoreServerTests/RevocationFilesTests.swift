import Foundation
import StoreSecurity
@testable import StoreServer
import StoreTestSupport
import Synchronization
import Testing

struct RevocationFilesTests {
    private let folder: TemporaryFolder
    private let serial: CertificateSerial
    private let other: CertificateSerial

    init() throws {
        folder = try TemporaryFolder()
        serial = try #require(CertificateSerial("0A"))
        other = try #require(CertificateSerial("0B"))
    }

    private func revoke(_ serial: CertificateSerial) throws {
        try folder.write(RevocationFiles.name(serial), "")
    }

    /// The files of a folder that last changed at a time of the test's choice.
    private func files(_ changed: Changed, secondsAgo: Int) -> RevocationFiles {
        RevocationFiles(
            folder: folder.url,
            status: { path in
                var status = RevocationFiles.status(path)
                status?.st_ctim = timespec(tv_sec: changed.seconds.withLock { $0 }, tv_nsec: 0)
                return status
            }, now: { changed.seconds.withLock { $0 } + secondsAgo })
    }

    private final class Changed: Sendable {
        let seconds = Mutex(1_000_000_000)
    }

    @Test func `a revocation takes effect at once`() throws {
        let files = RevocationFiles(folder: folder.url)
        #expect(!files.contains(serial))
        try revoke(serial)
        #expect(files.contains(serial) && !files.contains(other))
        try revoke(other)
        #expect(files.contains(serial) && files.contains(other))
    }

    @Test func `a folder is listed again once its change time is another`() throws {
        let changed = Changed()
        let files = files(changed, secondsAgo: RevocationFiles.settlingTime + 1)
        #expect(!files.contains(serial))
        try revoke(serial)
        #expect(!files.contains(serial), "the list was not kept")
        changed.seconds.withLock { $0 += 1 }
        #expect(files.contains(serial) && !files.contains(other))
    }

    @Test func `a folder that has changed just now is not listed`() throws {
        let files = files(Changed(), secondsAgo: RevocationFiles.settlingTime)
        #expect(!files.contains(serial))
        try revoke(serial)
        #expect(files.contains(serial))
    }

    @Test func `a file with another name revokes nothing`() throws {
        for name in ["0a.revoked", "A.revoked", "0:A.revoked", "0A.revoked.tmp", ".revoked"] {
            try folder.write(name, "")
        }
        let files = files(Changed(), secondsAgo: RevocationFiles.settlingTime + 1)
        #expect(!files.contains(serial))
    }

    @Test func `where there is no folder nothing is revoked`() {
        #expect(!RevocationFiles(folder: folder.file("none")).contains(serial))
    }
}
