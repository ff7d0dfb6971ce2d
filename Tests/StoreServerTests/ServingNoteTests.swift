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
