import Foundation
import StoreServer
import StoreTestSupport
import Testing

@Suite struct InterceptionNoteTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file(InterceptionNote.fileName) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func note(_ proxy: String = "127.0.0.1:8888") -> InterceptionNote {
        InterceptionNote(
            store: ["http://127.0.0.1:8080"], proxy: proxy, root: "/intercept/root.pem", process: 7)
    }

    private func error() -> InterceptionNoteError? {
        do {
            _ = try InterceptionNote.read(in: folder.url)
            return nil
        } catch { return error as? InterceptionNoteError }
    }

    @Test func `a note is there while its store runs, and no longer`() throws {
        #expect(error() == .missing(folder.url))
        var left: LeftNote? = try note().leave(in: folder.url)
        #expect(try InterceptionNote.read(in: folder.url) == note())
        #expect(left != nil)
        left = nil
        #expect(error() == .missing(folder.url))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `what a killed store has left is told from one that runs`() throws {
        try folder.write(InterceptionNote.fileName, JSONEncoder().encode(note()))
        #expect(error() == .left(file.path))
        #expect(error()?.description.contains("does not run any more") == true)
        let left = try note("127.0.0.1:9999").leave(in: folder.url)
        #expect(try InterceptionNote.read(in: folder.url).proxy == "127.0.0.1:9999")
        withExtendedLifetime(left) {}
    }

    @Test func `the store that came later keeps its note`() throws {
        var first: LeftNote? = try note("127.0.0.1:1").leave(in: folder.url)
        let second = try note("127.0.0.1:2").leave(in: folder.url)
        #expect(first != nil)
        first = nil
        #expect(try InterceptionNote.read(in: folder.url).proxy == "127.0.0.1:2")
        withExtendedLifetime(second) {}
    }

    @Test func `a folder that takes no note is a clear error`() throws {
        let nowhere = folder.file("nowhere")
        #expect {
            try note().leave(in: nowhere)
        } throws: {
            "\($0)".hasPrefix("\(nowhere.path)/intercept.json can't be written: ")
        }
    }
}
