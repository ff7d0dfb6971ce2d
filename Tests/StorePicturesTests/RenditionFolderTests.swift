import Foundation
import StoreCore
import StoreModel
import StorePictures
import StoreTestSupport
import Testing

/// Pictures that were made, kept on disk within bounds.
@Suite struct RenditionFolderTests {
    private let place: TemporaryFolder
    private let clock = SettableClock(Date(timeIntervalSince1970: 1_800_000_000))

    init() throws {
        place = try TemporaryFolder()
    }

    /// - Parameter free: bytes of the disk.
    private func folder(limit: Int64, free: Int64 = .max) throws -> RenditionFolder {
        try RenditionFolder(
            root: place.file("renditions"), limit: limit, free: { _ in free },
            now: { [clock] in clock.now() })
    }

    private static func digest(_ number: Int) -> ContentDigest {
        let text = String(number, radix: 16)
        return ContentDigest(String(repeating: "0", count: 64 - text.count) + text)!
    }

    private static let size = PictureSize("10x10bb.png")!

    private func isThere(_ number: Int, in folder: RenditionFolder) -> Bool {
        guard let content = folder.open(Self.size, of: Self.digest(number)) else { return false }
        close(content.descriptor)
        return true
    }

    private var bytesOnDisk: Int {
        get throws {
            let root = place.file("renditions").path
            let names = try FileManager.default.subpathsOfDirectory(atPath: root)
            return names.reduce(0) { sum, name in
                var status = stat()
                guard lstat("\(root)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG
                else { return sum }
                return sum + Int(status.st_size)
            }
        }
    }

    @Test func `on a disk that is nearly full nothing is kept`() throws {
        let folder = try folder(limit: 1000, free: UploadRules.store.reserve - 1)
        #expect(throws: PictureFolderError.self) {
            try folder.store(Data("a".utf8), Self.size, of: Self.digest(1))
        }
        #expect(!isThere(1, in: folder))
        #expect(try bytesOnDisk == 0)
    }

    @Test func `what was kept is there, by size, fit and format`() throws {
        let folder = try folder(limit: 1000)
        for name in ["10x10bb.png", "10x10cc.png", "10x10bb.jpg", "10x11bb.png"] {
            try folder.store(Data(name.utf8), PictureSize(name)!, of: Self.digest(1))
        }
        for name in ["10x10bb.png", "10x10cc.png", "10x10bb.jpg", "10x11bb.png"] {
            let content = try #require(folder.open(PictureSize(name)!, of: Self.digest(1)))
            let file = FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
            #expect(try file.readToEnd() == Data(name.utf8))
        }
        #expect(!isThere(2, in: folder))
        // The same address without and with its suffix.
        #expect(PictureSize("10x10.png") == Self.size)
    }

    @Test func `when there is too much, what nobody asked for the longest goes`() throws {
        let folder = try folder(limit: 1000)
        for number in 1...9 {
            try folder.store(Data(count: 100), Self.size, of: Self.digest(number))
            clock.advance(by: 120)
        }
        #expect((1...9).allSatisfy { isThere($0, in: folder) })
        // They were all asked for just now; from here on only the first is.
        clock.advance(by: 120)
        #expect(isThere(1, in: folder))
        clock.advance(by: 120)
        for number in 10...12 {
            try folder.store(Data(count: 100), Self.size, of: Self.digest(number))
        }
        #expect(try bytesOnDisk <= 1000)
        #expect(isThere(1, in: folder) && isThere(12, in: folder))
        #expect(!(2...9).allSatisfy { isThere($0, in: folder) })
    }

    @Test func `processes that share a folder keep it within its bounds together`() throws {
        let folders = [try folder(limit: 2000), try folder(limit: 2000)]
        for number in 1...80 {
            clock.advance(by: 1)
            try folders[number % 2].store(Data(count: 100), Self.size, of: Self.digest(number))
            // An eighth of the limit for each of them, and what it had in hand.
            #expect(try bytesOnDisk <= 2000 + 2 * (250 + 100))
        }
        #expect(isThere(79, in: folders[0]) && isThere(80, in: folders[0]))
        #expect(!isThere(1, in: folders[0]))
    }

    @Test func `whoever reads one that is taken away reads on`() throws {
        let folder = try folder(limit: 1000)
        try folder.store(Data("whole".utf8), Self.size, of: Self.digest(1))
        let content = try #require(folder.open(Self.size, of: Self.digest(1)))
        clock.advance(by: 1000)
        for number in 2...20 {
            try folder.store(Data(count: 100), Self.size, of: Self.digest(number))
        }
        #expect(!isThere(1, in: folder))
        let file = FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true)
        #expect(try file.readToEnd() == Data("whole".utf8))
    }

    @Test func `halves of pictures go after an hour`() throws {
        let half = try place.write("renditions/00/.half", "ha")
        let fresh = try place.write("renditions/00/.fresh", "fr")
        for (url, age) in [(half, 3700.0), (fresh, 10)] {
            let date = clock.now().addingTimeInterval(-age)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
        }
        try folder(limit: 1000).store(Data([1]), Self.size, of: Self.digest(1))
        #expect(!FileManager.default.fileExists(atPath: half.path))
        #expect(FileManager.default.fileExists(atPath: fresh.path))
    }
}
