import Foundation
import StoreSecurity
@testable import StoreServer
import StoreTestSupport
import Testing

struct RevocationFilesTests {
    private let folder: TemporaryFolder
    private let files: RevocationFiles
    private let serial: CertificateSerial
    private let other: CertificateSerial
    private let past = Date(timeIntervalSince1970: 1_000_000_000)

    init() throws {
        folder = try TemporaryFolder()
        files = RevocationFiles(folder: folder.url)
        serial = try #require(CertificateSerial("0A"))
        other = try #require(CertificateSerial("0B"))
    }

    private func revoke(_ serial: CertificateSerial) throws {
        try folder.write(RevocationFiles.name(serial), "")
    }

    /// Sets the folder's modification time.
    private func setModification(_ date: Date) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: date], ofItemAtPath: folder.url.path)
    }

    @Test func `a revocation is heard at once, whether the folder was listed or not`() throws {
        #expect(!files.contains(serial))
        try revoke(serial)
        #expect(files.contains(serial) && !files.contains(other))
        try setModification(past)
        #expect(files.contains(serial) && !files.contains(other))
        try revoke(other)
        #expect(files.contains(other))
        try setModification(past + 1)
        #expect(files.contains(other))
    }

    @Test func `a folder that has not changed is not listed again`() throws {
        try setModification(past)
        #expect(!files.contains(serial))
        try revoke(serial)
        try setModification(past)
        #expect(!files.contains(serial))
        try setModification(past + 1)
        #expect(files.contains(serial))
    }

    @Test func `a list is not kept while the folder can change without another time`() throws {
        let future = Date(timeIntervalSince1970: 10_000_000_000)
        try setModification(future)
        #expect(!files.contains(serial))
        try revoke(serial)
        try setModification(future)
        #expect(files.contains(serial))
    }

    @Test func `where there is no folder nothing is revoked`() {
        #expect(!RevocationFiles(folder: folder.file("none")).contains(serial))
    }
}
