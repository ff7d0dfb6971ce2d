import Foundation
import StoreContent
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// A driver of the content store. Another one is one more element of `all`.
struct ContentDriver: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Opens the store in a folder.
    let open: @Sendable (URL) throws -> any ContentStore

    static let all = [
        ContentDriver(testDescription: "disk") { try DiskContentStore(root: $0) }
    ]
}

@Suite struct ContentStoreContractTests {
    static let digest = ContentDigest(String(repeating: "ab", count: 32))!
    static let other = ContentDigest("ab" + String(repeating: "c", count: 62))!

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
        try store.store(file: folder.write("new", data), digest: Self.digest)
        try store.store(file: folder.write("new", Data()), digest: Self.other)
        for store in [store, try driver.open(root)] {
            #expect(try bytes(Self.digest, in: store) == data)
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
            let file = try folder.write("new", "the same")
            try store.store(file: file, digest: Self.digest)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
        #expect(try bytes(Self.digest, in: store) == Data("the same".utf8))
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
            Dictionary(uniqueKeysWithValues: listed.map { ($0.digest, $0.length) })
                == [Self.digest: 5, Self.other: 0])
        #expect(try store.exists(Self.digest))
        #expect(try store.exists(Self.other))
    }

    @Test(arguments: ContentDriver.all)
    func `what was removed is gone, but not for whoever reads it`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        try store.store(file: folder.write("new", "other"), digest: Self.other)
        let open = try #require(try store.open(Self.digest))
        let handle = FileHandle(fileDescriptor: open.descriptor, closeOnDealloc: true)
        try store.remove(Self.digest)
        // The second time there is nothing to be removed.
        try store.remove(Self.digest)
        #expect(try !store.exists(Self.digest))
        #expect(try store.list().map(\.digest) == [Self.other])
        #expect(try bytes(Self.digest, in: store) == nil)
        #expect(try handle.readToEnd() == Data("first".utf8))
        try store.store(file: folder.write("new", "again"), digest: Self.digest)
        #expect(try bytes(Self.digest, in: store) == Data("again".utf8))
    }

    @Test(arguments: ContentDriver.all)
    func `what is stored again counts as new`(driver: ContentDriver) throws {
        let store = try driver.open(root)
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        let file = folder.file("content/ab/\(Self.digest)").path
        let past = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file)
        #expect(try store.list().map(\.date) == [past])
        try store.store(file: folder.write("new", "first"), digest: Self.digest)
        let date = try #require(try store.list().first?.date)
        #expect(date > past)
    }
}
