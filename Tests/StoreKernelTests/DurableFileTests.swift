import Foundation
import StoreTestSupport
import Testing

@testable import StoreKernel

struct DurableFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func names(_ path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file(path).path).sorted()
    }

    private func mode(_ url: URL) -> mode_t {
        var status = stat()
        return lstat(url.path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test func `a file is written whole, for whom it is meant, and nothing else is left`() throws {
        let file = folder.file("a/b/file")
        for text in ["first", "", String(repeating: "x", count: 1 << 20)] {
            try DurableFile.write(Data(text.utf8), to: file, mode: 0o600)
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
            #expect(mode(file) == 0o600 && mode(folder.file("a/b")) == 0o700)
            #expect(try names("a/b") == ["file"])
        }
    }

    @Test func `a file that is there stays where it is not to be replaced`() throws {
        let file = folder.file("file")
        try DurableFile.write(Data("first".utf8), to: file, mode: 0o644, replaces: false)
        let error = #expect(throws: NSError.self) {
            try DurableFile.write(Data("second".utf8), to: file, mode: 0o644, replaces: false)
        }
        #expect(error?.domain == NSPOSIXErrorDomain && error?.code == Int(EEXIST))
        #expect(try String(contentsOf: file, encoding: .utf8) == "first")
        #expect(try names() == ["file"])
    }

    @Test func `what a killed process left is overwritten by the next that is alone`() throws {
        try folder.write(".file.partial", "the half of a key, for all to read")
        try DurableFile.write(Data("new".utf8), to: folder.file("file"), mode: 0o600, isAlone: true)
        #expect(try names() == ["file"] && mode(folder.file("file")) == 0o600)
    }

    @Test func `what can't be written says why, and leaves nothing`() throws {
        let place = try folder.write("taken/file", "x").deletingLastPathComponent()
        let error = #expect(throws: NSError.self) {
            try DurableFile.write(Data("new".utf8), to: place, mode: 0o600)
        }
        #expect(error?.domain == NSPOSIXErrorDomain && error?.code == Int(EISDIR))
        #expect(error?.localizedDescription == "\(place.path) can't be made: Is a directory")
        #expect(try names() == ["taken"])
    }

    @Test func `a folder is moved in one step, in no full folder's place`() throws {
        try folder.write("new/file", "new")
        try folder.write("place/file", "old")
        #expect(throws: NSError.self) {
            try DurableFile.move(folder.file("new"), to: folder.file("place"))
        }
        #expect(try names() == ["new", "place"])
        try DurableFile.move(folder.file("new"), to: folder.file("place/new"))
        #expect(try names("place/new") == ["file"])
    }

    @Test func `bytes are written where they belong`() throws {
        let file = try folder.write("file", "0123456789")
        let descriptor = DurableFile.open(file, O_WRONLY, mode: 0)
        defer { close(descriptor) }
        try Data("ab".utf8).withUnsafeBytes {
            try DurableFile.append($0, to: descriptor, at: 3, of: file)
            try DurableFile.append($0, to: descriptor, of: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "ab2ab56789")
        Data("ab".utf8).withUnsafeBytes { bytes in
            _ = #expect(throws: NSError.self) { try DurableFile.append(bytes, to: -1, of: file) }
        }
    }

    @Test(arguments: ["missing/file", "missing"])
    func `what is not there is not brought to disk`(name: String) {
        #expect(throws: NSError.self) { try DurableFile.synchronize(folder.file(name)) }
        #expect(throws: NSError.self) { try DurableFile.synchronize(folder: folder.file(name)) }
    }

    @Test func `one at a time has the lock`() async throws {
        let file = folder.file("counter")
        try DurableFile.write(Data("0".utf8), to: file, mode: 0o600)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread {
                        try DurableFile.whileLocked(file) {
                            let text = try String(contentsOf: file, encoding: .utf8)
                            let next = String((Int(text) ?? -100) + 1)
                            try DurableFile.write(Data(next.utf8), to: file, mode: 0o600)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "8")
    }
}
