import Foundation
import StoreSecurity
@testable import StoreServer
import StoreTestSupport
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

    /// As tools do that copy folders.
    private func setModificationTime(_ seconds: TimeInterval) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)],
            ofItemAtPath: folder.url.path)
    }

    /// Later than each change, the list of the folder is kept; at the same time, each file is looked for.
    @Test(arguments: [3600, 0])
    func `a revocation takes effect at once`(secondsAfterChange: Int) throws {
        let files = RevocationFiles(folder: folder.url, now: { time(nil) + secondsAfterChange })
        try setModificationTime(1_000_000_000)
        #expect(!files.contains(serial))
        try revoke(serial)
        #expect(files.contains(serial) && !files.contains(other))
        try setModificationTime(1_000_000_000)
        #expect(!files.contains(other))
        try revoke(other)
        #expect(files.contains(serial) && files.contains(other))
    }

    @Test func `a file with another name revokes nothing`() throws {
        for name in ["0a.revoked", "A.revoked", "0:A.revoked", "0A.revoked.tmp", ".revoked"] {
            try folder.write(name, "")
        }
        let files = RevocationFiles(folder: folder.url, now: { time(nil) + 3600 })
        #expect(!files.contains(serial))
    }

    @Test func `where there is no folder nothing is revoked`() {
        #expect(!RevocationFiles(folder: folder.file("none")).contains(serial))
    }
}
