import Foundation
import StoreContent
import StoreCore
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import Testing

/// A driver of what arrives: packages and pictures.
struct ArrivalDriver: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let uploads: @Sendable (URL) throws -> any UploadStore
    let pictures: @Sendable (URL) throws -> any PictureFiles & MediaFiles

    static let all = [
        ArrivalDriver(testDescription: "disk") {
            try DiskUploadStore(root: $0)
        } pictures: {
            try DiskPictureFiles(
                root: $0, digest: { ContentDigest(SHA256Digest.hex($0)) },
                checksum: { MD5Checksum.hex($0) }, makeDigest: { ContentDigestStream() })
        },
        ArrivalDriver(testDescription: "object store") {
            try ObjectServer.shared.storage(String($0.path.dropFirst())).uploads
        } pictures: {
            try ObjectServer.shared.storage(String($0.path.dropFirst())).pictures
        },
    ]
}

@Suite(.usesObjectStore) struct UploadStoreContractTests {
    private let folder: TemporaryFolder
    private let id = UploadID(UUID())
    private let picture = AssetID(UUID())

    init() throws {
        folder = try TemporaryFolder()
    }

    private func digest(_ data: Data) -> ContentDigest { ContentDigest(SHA256Digest.hex(data))! }

    @Test(arguments: ArrivalDriver.all)
    func `parts that arrive in any order become the package`(driver: ArrivalDriver) throws {
        let store = try driver.uploads(folder.file("uploads"))
        let data = SampleShop.noise(25_000, seed: 1)
        let file = try #require(try store.open(id, isAlone: false))
        for start in [20_000, 0, 10_000] {
            try file.write(data[start..<min(25_000, start + 10_000)], at: Int64(start))
        }
        try file.write(data[0..<10_000], at: 0)
        try file.synchronize()
        // Another process reads what this one has written.
        let other = try driver.uploads(folder.file("uploads"))
        let again = try #require(try other.open(id, isAlone: false))
        #expect(try again.read(10_000..<20_000) == data[10_000..<20_000])
        #expect(try again.read(20_000..<30_000) == data[20_000...])
        #expect(try other.list() == [id])
        let place = folder.file("place")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let whole = try other.wholeFile(of: id, digest: digest(data), in: place, proceed: {})
        #expect(try Data(contentsOf: whole) == data)
        #expect(whole.pathExtension == "pkg")
        try other.remove(id)
        try other.remove(id)
        #expect(try store.list().isEmpty)
        #expect(try store.freeBytes() > 0)
    }

    @Test func `parts that changed after they were handed over are not processed`() throws {
        let store = try ArrivalDriver.all[1].uploads(folder.file("uploads"))
        let file = try #require(try store.open(id, isAlone: false))
        try file.write(Data("abc".utf8), at: 0)
        #expect(throws: OtherUploadFile()) {
            try store.wholeFile(
                of: id, digest: digest(Data("abd".utf8)), in: folder.url, proceed: {})
        }
        #expect(throws: CancellationError.self) {
            try store.wholeFile(of: id, digest: digest(Data("abc".utf8)), in: folder.url) {
                throw CancellationError()
            }
        }
    }

    @Test func `room for packages is what this machine has`() throws {
        let store = try ArrivalDriver.all[1].uploads(folder.file("uploads"))
        var status = statvfs()
        try #require(statvfs(folder.url.path, &status) == 0)
        #expect(try UInt64(store.freeBytes()) <= UInt64(status.f_blocks) * UInt64(status.f_frsize))
    }

    @Test(arguments: ArrivalDriver.all)
    func `parts of a picture become the picture`(driver: ArrivalDriver) throws {
        let files = try driver.pictures(folder.file("assets"))
        #expect(try files.finish(picture) == nil)
        try files.write(Data("lo".utf8), at: 3, of: picture)
        try files.write(Data("hel".utf8), at: 0, of: picture)
        #expect(try files.list().isEmpty)
        let arrived = try #require(try files.finish(picture))
        #expect(arrived.size == 5)
        #expect(arrived.checksum == "5d41402abc4b2a76b9719d911017c592")
        #expect(arrived.digest == digest(Data("hello".utf8)))
        #expect(try files.exists(arrived.digest))
        #expect(try files.finish(picture) == nil, "it has moved")
        #expect(try files.list().map(\.digest) == [arrived.digest])
        try files.write(Data("a".utf8), at: 0, of: picture)
        for _ in 1...2 { try files.abandon(picture) }
        #expect(try files.finish(picture) == nil)
        try files.write(Data("a".utf8), at: 0, of: picture)
        try files.abandon(before: Date(timeIntervalSince1970: 0))
        try files.abandon(before: .distantFuture)
        #expect(try files.finish(picture) == nil)
        #expect(try files.exists(arrived.digest), "what is kept stays")
    }

    @Test func `media on their way into an object store leave some of the disk free`() async throws
    {
        let file = try folder.write("film", "a film")
        let storage = ObjectStorage(
            client: try ObjectServer.shared.client("full"),
            scratch: folder.file("scratch"), room: DiskRoom(reserve: 1000) { _ in 1005 },
            makeDigest: { ContentDigestStream() })
        let refusal = await #expect(throws: ConnectRefusal.self) {
            _ = try await storage.pictures.take(file, limit: 100) { _ in true }
        }
        #expect(refusal?.rule == "diskFull")
        #expect(try storage.pictures.list().isEmpty)
    }

    @Test(arguments: ArrivalDriver.all)
    func `a media file is copied under its digest`(driver: ArrivalDriver) async throws {
        let files = try driver.pictures(folder.file("assets"))
        let data = SampleShop.noise(700_000, seed: 2)
        let file = try folder.write("film", data)
        let (taken, count) = try await files.take(file, limit: 1 << 20) { $0.count }
        #expect(taken == TakenFile(digest: digest(data), size: 700_000))
        #expect(count == 4096)
        #expect(FileManager.default.fileExists(atPath: file.path))
        let content = try #require(try files.open(taken.digest))
        let handle = FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
        #expect(try handle.readToEnd() == data)
        await #expect(throws: MediaFileProblem.tooLarge(limit: 1000)) {
            _ = try await files.take(file, limit: 1000) { $0.count }
        }
        #expect(try files.list().count == 1)
    }
}
