import Foundation
import StoreContent
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import Testing

/// A driver of the content store. Another one is one more element of `all`.
struct ContentDriver: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens the store in a folder, or in what the folder names.
    let open: @Sendable (URL) throws -> any ContentStore
    /// Makes all that the store has some seconds older.
    let age: @Sendable (URL, Int) async throws -> Void

    static let all = [
        ContentDriver(testDescription: "disk") {
            try DiskContentStore(root: $0)
        } age: { root, seconds in
            let past = Date(timeIntervalSinceNow: -Double(seconds))
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
                try FileManager.default.setAttributes(
                    [.modificationDate: past],
                    ofItemAtPath: root.appendingPathComponent(path).path)
            }
        },
        ContentDriver(testDescription: "object store") {
            try ObjectServer.shared.storage(prefix($0)).content
        } age: {
            try await ObjectServer.shared.age(prefix($0), $1)
        },
    ]

    private static func prefix(_ root: URL) -> String { String(root.path.dropFirst()) }
}

@Suite(.usesObjectStore) struct ContentStoreContractTests {
    private static func digest(of data: Data) -> ContentDigest {
        ContentDigest(SHA256Digest.hex(data))!
    }

    static let digest = digest(of: Data("first".utf8))
    static let other = digest(of: Data())

    private let folder: TemporaryFolder
    private var root: URL { folder.file("content") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func bytes(_ digest: ContentDigest, in store: any ContentStore) throws -> Data? {
        guard let content = try store.open(digest) else { return nil }
        let handle = FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
        let data = try handle.readToEnd() ?? Data()
        #expect(UInt64(data.count) == content.length)
        return data
    }

    @Test(arguments: ContentDriver.all)
    func `what was stored is read, also after opening again`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        let data = SampleShop.noise(100_000, seed: 1)
        let digest = Self.digest(of: data)
        try store.store(file: folder.write("new", data), digest: digest)
        try store.store(file: folder.write("new", Data()), digest: Self.other)
        for store in [store, try driver.open(root)] {
            #expect(try bytes(digest, in: store) == data)
            #expect(try bytes(Self.other, in: store) == Data())
        }
    }

    @Test(arguments: ContentDriver.all)
    func `a digest that was never stored has no content`(driver: ContentDriver) throws {
        #expect(try bytes(Self.digest, in: driver.open(root)) == nil)
    }

    @Test(arguments: ContentDriver.all)
    func `the file belongs to the store, also the second time`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        for _ in 1...2 {
            let file = try folder.write("new", "first")
            try store.store(file: file, digest: Self.digest)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
        #expect(try bytes(Self.digest, in: store) == Data("first".utf8))
    }

    @Test(arguments: ContentDriver.all)
    func `the first bytes under a digest stay`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        let open = try #require(try store.open(Self.digest))
        try store.store(file: folder.write("new", "second"), digest: Self.digest)
        let handle = FileHandle(fileDescriptor: open.descriptor, closeOnDealloc: true)
        #expect(try handle.readToEnd() == Data("first".utf8))
        #expect(try bytes(Self.digest, in: store) == Data("first".utf8))
    }

    /// Another process may have put it there, and not brought it to disk.
    @Test func `what lies under a digest and can't be brought to disk is not taken for stored`()
        throws
    {
        let store = try DiskContentStore(root: root)
        let target = try folder.write(
            "content/\(Self.digest.text.prefix(2))/\(Self.digest)", Data())
        try FileManager.default.removeItem(at: target)
        // A socket has a name and a date, and nothing that could be opened.
        try #require(mknod(target.path, S_IFSOCK | 0o600, 0) == 0)
        let file = try folder.write("new", "first")
        #expect(throws: ContentStoreError.self) {
            try store.store(file: file, digest: Self.digest)
        }
        #expect(FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.removeItem(at: target)
        try store.store(file: file, digest: Self.digest)
        #expect(try bytes(Self.digest, in: store) == Data("first".utf8))
    }

    @Test(arguments: ContentDriver.all)
    func `a file that isn't there is an error and leaves nothing`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        #expect(throws: (any Error).self) {
            try store.store(file: folder.file("nothing"), digest: Self.digest)
        }
        #expect(try bytes(Self.digest, in: store) == nil)
    }

    @Test(arguments: ContentDriver.all)
    func `what is there is listed with its length, and nothing else`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        #expect(try store.list().isEmpty)
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        try store.store(file: folder.write("new", Data()), digest: Self.other)
        try folder.write("content/ab/notes.txt", "not content")
        let listed = try store.list()
        #expect(
            listed.map { "\($0.digest) \($0.length)" }.sorted()
                == ["\(Self.digest) 5", "\(Self.other) 0"].sorted())
        #expect(try store.exists(Self.digest))
        #expect(try store.exists(Self.other))
    }

    @Test(arguments: ContentDriver.all)
    func `what was removed is gone, but not for whoever reads it`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        try store.store(file: folder.write("new", Data()), digest: Self.other)
        let open = try #require(try store.open(Self.digest))
        let handle = FileHandle(fileDescriptor: open.descriptor, closeOnDealloc: true)
        try store.remove(Self.digest)
        // The second time there is nothing to be removed.
        try store.remove(Self.digest)
        #expect(try !store.exists(Self.digest))
        #expect(try store.list().map(\.digest) == [Self.other])
        #expect(try bytes(Self.digest, in: store) == nil)
        #expect(try handle.readToEnd() == Data("first".utf8))
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        #expect(try bytes(Self.digest, in: store) == Data("first".utf8))
    }

    @Test(arguments: ContentDriver.all)
    func `what is stored again counts as new`(driver: ContentDriver) async throws {
        let store = try driver.open(root)
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        try await driver.age(root, 1_000_000)
        let past = Date(timeIntervalSinceNow: -900_000)
        #expect(try #require(try store.list().first).date < past)
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        #expect(try #require(try store.list().first).date > past)
    }

    @Test(arguments: ContentDriver.all)
    func `some bytes are opened with the length of all`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        let data = SampleShop.noise(100_000, seed: 3)
        let digest = Self.digest(of: data)
        try store.store(file: folder.write("new", data), digest: digest)
        for range in [0..<10, 500..<70_000, 99_999..<100_000, 0..<100_000, 7..<7] {
            let range = UInt64(range.lowerBound)..<UInt64(range.upperBound)
            let part = try #require(try store.open(digest) { _ in range })
            #expect(part.length == 100_000)
            let handle = FileHandle(fileDescriptor: part.descriptor, closeOnDealloc: true)
            try handle.seek(toOffset: range.lowerBound - part.origin)
            let bytes = try handle.read(upToCount: range.count) ?? Data()
            #expect(bytes == data[Int(range.lowerBound)..<Int(range.upperBound)])
        }
        let nothing = try store.open(Self.digest) { 0..<$0 }
        #expect(nothing?.length == nil)
    }
}
