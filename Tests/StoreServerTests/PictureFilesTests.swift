import Foundation
import StoreContent
import StoreCore
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import Testing

@Suite struct PictureFilesTests {
    private let folder: TemporaryFolder
    private let files: DiskPictureFiles
    private let id = AssetID(UUID())

    init() throws {
        folder = try TemporaryFolder()
        files = try DiskPictureFiles(
            root: folder.file("assets"), digest: { ContentDigest(SHA256Digest.hex($0)) },
            checksum: { MD5Checksum.hex($0) }, makeDigest: { ContentDigestStream() })
    }

    @Test func `parts that arrive in any order become the whole`() throws {
        #expect(try files.finish(id) == nil)
        try files.write(Data("lo".utf8), at: 3, of: id)
        try files.write(Data("hel".utf8), at: 0, of: id)
        let picture = try #require(try files.finish(id))
        #expect(picture.size == 5)
        // RFC 1321 has no "hello"; coreutils' md5sum does.
        #expect(picture.checksum == "5d41402abc4b2a76b9719d911017c592")
        #expect(picture.digest.text == SHA256Digest.hex(Data("hello".utf8)))
        #expect(picture.header == nil)
        #expect(try files.exists(picture.digest))
        #expect(try files.finish(id) == nil, "it has moved")
        #expect(try files.list().map(\.digest) == [picture.digest])
    }

    @Test func `a part that comes too late does not change what is kept`() throws {
        try files.write(Data("hello".utf8), at: 0, of: id)
        // As a request has it that began before the whole was looked at.
        let late = try FileHandle(
            forWritingTo: folder.file("assets/arriving/\(id.text)"))
        let picture = try #require(try files.finish(id))
        try late.write(contentsOf: Data("HELLO".utf8))
        let kept = try #require(try files.open(picture.digest))
        let handle = FileHandle(fileDescriptor: kept.descriptor, closeOnDealloc: true)
        #expect(try handle.readToEnd() == Data("hello".utf8))
    }

    @Test func `what comes leaves some of the disk free`() async throws {
        let full = DiskRoom(reserve: 1000) { _ in 1005 }
        let files = try DiskPictureFiles(
            root: folder.file("full"), digest: { ContentDigest(SHA256Digest.hex($0)) },
            checksum: { MD5Checksum.hex($0) }, makeDigest: { ContentDigestStream() }, room: full)
        try files.write(Data("hello".utf8), at: 0, of: id)
        let refusal = #expect(throws: ConnectRefusal.self) {
            try files.write(Data("hello!".utf8), at: 0, of: id)
        }
        #expect(refusal?.rule == "diskFull")
        let film = folder.file("film")
        try Data("a film".utf8).write(to: film)
        await #expect(throws: ConnectRefusal.self) {
            _ = try await files.take(film, limit: 100) { _ in true }
        }
        let uploads = try DiskUploadStore(root: folder.file("uploads"), room: full)
        let file = try #require(try uploads.open(UploadID(UUID()), isAlone: false))
        try file.write(Data("hello".utf8), at: 0)
        let error = #expect(throws: UploadStoreError.self) {
            try file.write(Data("hello!".utf8), at: 0)
        }
        #expect(error?.isDiskFull == true)
    }

    @Test func `what is not finished is not listed, and goes when it is old`() throws {
        try files.write(Data("a".utf8), at: 0, of: id)
        #expect(try files.list().isEmpty)
        try files.abandon(before: Date(timeIntervalSince1970: 0))
        try files.write(Data("b".utf8), at: 1, of: id)
        try files.abandon(before: .distantFuture)
        #expect(try files.finish(id) == nil)
    }
}
