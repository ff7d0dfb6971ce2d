import Foundation
import StoreServer
import StoreTestSupport
import Testing

@Suite struct ServingNoteTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `the note is there while its store runs, and no longer`() throws {
        let note = ServingNote(address: "http://127.0.0.1:8080", publicAddress: nil)
        #expect(ServingNote.read(in: folder.url) == nil)
        var left: LeftNote? = try note.leave(in: folder.url)
        #expect(ServingNote.read(in: folder.url) == note)
        #expect(left != nil)
        left = nil
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    /// Two stores that start at once over one folder: the second one hears of the first.
    @Test func `who leaves a note looks at the one before while nobody else leaves any`()
        async throws
    {
        struct Served: Error {}
        let folder = folder.url
        let notes = try await withThrowingTaskGroup { group in
            for port in 1...8 {
                group.addTask { () -> LeftNote? in
                    let note = ServingNote(
                        address: "http://127.0.0.1:\(port)", publicAddress: nil)
                    return try? note.leave(in: folder) {
                        if ServingNote.read(in: folder) != nil { throw Served() }
                    }
                }
            }
            return try await group.reduce(into: [LeftNote]()) { notes, left in
                if let left { notes.append(left) }
            }
        }
        #expect(notes.count == 1)
        #expect(ServingNote.read(in: folder) != nil)
    }

    @Test func `what a killed store has left counts for nothing`() throws {
        let note = ServingNote(address: "http://127.0.0.1:8080", publicAddress: nil)
        try folder.write(ServingNote.fileName, JSONEncoder().encode(note))
        #expect(ServingNote.read(in: folder.url) == nil)
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:1", nil, ["http://127.0.0.1:1"]),
            (
                "http://127.0.0.1:1", "https://a.example",
                ["http://127.0.0.1:1", "https://a.example"]
            ),
            (
                "https://127.0.0.1:1", "https://a.example",
                ["https://a.example", "https://127.0.0.1:1"]
            ),
            ("http://127.0.0.1:1", "http://127.0.0.1:1", ["http://127.0.0.1:1"]),
        ] as [(String, String?, [String])])
    func `over TLS the name that the certificate has comes first`(
        address: String, publicAddress: String?, addresses: [String]
    ) {
        #expect(ServingNote(address: address, publicAddress: publicAddress).addresses == addresses)
    }
}
