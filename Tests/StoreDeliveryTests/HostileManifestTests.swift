import Foundation
import StoreDelivery
import StoreTestSupport
import Testing

@Suite("Hostile manifest")
struct HostileManifestTests {
    private let delivery: SampleDelivery

    init() throws {
        delivery = try SampleDelivery(files: [
            ("Contents/one", Data("some bytes".utf8)), ("Contents/two", Data("more bytes".utf8)),
        ])
    }

    private func expectRefusal(
        _ change: ManifestChange, _ location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: DeliveryError.self, sourceLocation: location) {
            try delivery.manifest.changed(change.change)
        }
        guard case .manifest = error else {
            Issue.record("\(String(describing: error))", sourceLocation: location)
            return
        }
    }

    @Test func `a manifest without change is taken`() throws {
        #expect(try delivery.manifest.changed { _ in } == delivery.manifest)
    }

    @Test(arguments: [
        ManifestChange("a newer format") { $0["format"] = 2 },
        ManifestChange("format 0") { $0["format"] = 0 },
        ManifestChange("no format") { $0["format"] = nil },
        ManifestChange("no entries") { $0["entries"] = nil },
        ManifestChange("a malformed digest") { $0["blobDigest"] = "abc" },
        ManifestChange("a malformed version") { $0["version"] = "new" },
        ManifestChange("a negative blob") { $0["blobLength"] = -1 },
        ManifestChange("a blob shorter than its chunks") { $0["blobLength"] = 1 },
        .file("an unknown kind", "kind", "device"),
        .file("no length", "length", nil), .file("no digest", "digest", nil),
        .file("no chunks", "chunks", nil), .file("a negative length", "length", -1),
        .file("a longer file than its chunks", "length", 11),
        .file("a shorter file than its chunks", "length", 9),
        .file("a length beyond 64 bits", "length", 1e30),
    ])
    func `a manifest with a wrong part is refused`(_ change: ManifestChange) {
        expectRefusal(change)
    }

    @Test(arguments: [
        "..", "../evil", "Contents/../../evil", "/etc/evil", "Contents//evil", "", ".",
        "Contents/./evil", "Contents/..", "Contents/\u{0}", "../\u{301}evil",
        "Contents/../\u{301}evil",
    ])
    func `a path that leads out is refused`(_ path: String) {
        expectRefusal(.file(path, "path", path))
    }

    @Test(arguments: [
        ManifestChange.link("Contents/x", to: "/etc"), .link("Contents/x", to: "../.."),
        .link("Contents/x", to: ".."), .link("Contents/x", to: ""), .link("x", to: "../y"),
        .link("Contents/x", to: "/\u{301}etc"), .link("Contents/x", to: "hollow/../.."),
        .link("Contents/x", to: "hollow/.."),
        .entry("a link without target", ["kind": "link", "path": "Contents/x"]),
    ])
    func `a link that leads out is refused`(_ change: ManifestChange) {
        expectRefusal(change)
    }

    @Test(arguments: [
        ManifestChange.entry("a folder twice", ["kind": "directory", "path": "Contents/hollow"]),
        .entry("a folder over a file", ["kind": "directory", "path": "Contents/one"]),
        .link("Contents/one", to: "two"),
        .entry("a folder below a file", ["kind": "directory", "path": "Contents/one/x"]),
        .entry("a folder below a link", ["kind": "directory", "path": "Contents/a/latest/x"]),
        .link("Contents/a/latest/x", to: "y"),
        .link("Contents/one/x/y", to: "z"),
        .link("Contents", to: "Contents"),
    ])
    func `two entries for one place are refused`(_ change: ManifestChange) {
        expectRefusal(change)
    }

    @Test(arguments: [
        ManifestChange.chunk("a negative offset", ["offset": -1]),
        .chunk("no bytes", ["length": 0]), .chunk("negative bytes", ["length": -5]),
        .chunk("nothing unpacked", ["unpackedLength": 0, "fileLength": 0]),
        .chunk("negative unpacked bytes", ["unpackedLength": -1, "fileLength": -1]),
        .chunk("an offset behind the blob", ["offset": 1_000_000]),
        .chunk("more bytes than the blob has", ["length": 1_000_000]),
        .chunk("huge bytes behind an offset", ["offset": 5, "length": .max]),
        .chunk("a huge offset", ["offset": .max]), .chunk("huge bytes", ["length": .max]),
        .chunk("huge offset and bytes", ["offset": .max, "length": .max]),
        .chunk("the lowest offset", ["offset": .min, "length": .max]),
        .chunk("other unpacked bytes than the file's", ["unpackedLength": 9]),
        .chunk("huge unpacked bytes", ["unpackedLength": .max]),
    ])
    func `a chunk that lies outside or doesn't add up is refused`(_ change: ManifestChange) {
        expectRefusal(change)
    }

    @Test func `files that add up to more than 63 bits are refused`() {
        expectRefusal(
            ManifestChange("two huge files") { manifest in
                var entries = manifest["entries"] as? [[String: Any]] ?? []
                for index in 2...3 {
                    var chunks = entries[index]["chunks"] as? [[String: Any]] ?? []
                    chunks[0]["unpackedLength"] = Int64.max
                    entries[index]["chunks"] = chunks
                    entries[index]["length"] = Int64.max
                }
                manifest["entries"] = entries
            })
    }

    @Test(arguments: ["", "[]", "{}", "null", "{\"format\":1}", "\u{0}", "{", "3"])
    func `text that is no manifest is refused`(_ text: String) {
        let error = #expect(throws: DeliveryError.self) {
            try DeliveryManifest(encoded: Data(text.utf8))
        }
        #expect(error?.description.contains("it is not a manifest") == true)
    }

    @Test func `a newer format is named`() throws {
        let error = #expect(throws: DeliveryError.self) {
            try delivery.manifest.changed { $0["format"] = 7 }
        }
        #expect(error?.description.contains("the unknown format 7") == true)
    }
}
