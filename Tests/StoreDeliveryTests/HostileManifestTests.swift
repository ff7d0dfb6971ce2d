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
            try delivery.changed(change.change, table: change.table)
        }
        guard case .manifest = error else {
            Issue.record("\(String(describing: error))", sourceLocation: location)
            return
        }
    }

    @Test func `a manifest without change is taken`() throws {
        #expect(try delivery.changed { _ in } == delivery.manifest)
    }

    @Test(arguments: [
        ManifestChange("a newer format") { $0["format"] = 3 },
        ManifestChange("an older format") { $0["format"] = 1 },
        ManifestChange("format 0") { $0["format"] = 0 },
        ManifestChange("no format") { $0["format"] = nil },
        ManifestChange("no entries") { $0["entries"] = nil },
        ManifestChange("no blobs") { $0["blobs"] = nil },
        ManifestChange("a malformed version") { $0["version"] = "new" },
        .blob("a negative blob", ["length": -1]),
        .blob("a blob shorter than its chunks", ["length": 1]),
        .list("more lengths than digests", "lengths", [19, 19, 19]),
        .list("fewer unpacked lengths than lengths", "unpackedLengths", [10]),
        .blob("a table larger than its blob", ["tableLength": 1_000_000]),
        .blob("a negative table", ["tableLength": -1]),
        .blob("no table", ["tableLength": 0]),
        .blob("a huge table", ["tableLength": .max, "length": .max]),
        .blob("a huge blob", ["length": .max]),
        .blobs(
            "tables whose lengths don't add up", 3,
            ["tableLength": 4_611_686_018_427_387_903, "length": .max]),
        .blobs(
            "more tables than fit into memory", 9,
            ["tableLength": 134_217_728, "length": 268_435_456]),
        .list("half a digest", "digests", "AAAA"),
        .list("digests that are no base64", "digests", "?"),
        .list("a length that is no number", "lengths", ["1", "2"]),
        .file("an unknown kind", "kind", "device"),
        .file("no length", "length", nil), .file("no digest", "digest", nil),
        .file("no chunks", "chunks", nil), .file("a negative length", "length", -1),
        .file("a longer file than its chunks", "length", 11),
        .file("a shorter file than its chunks", "length", 9),
        .file("a length beyond 64 bits", "length", 1e30),
        .file("a chunk that there is not", "chunks", [2, 1]),
        .file("a negative chunk", "chunks", [-1, 1]),
        .file("no chunk at all", "chunks", [0, 0]),
        .file("a negative number of chunks", "chunks", [0, -1]),
        .file("too many chunks", "chunks", [0, Int64.max]),
        .file("chunks beyond the last number", "chunks", [Int64.max, 1]),
        .file("half a range", "chunks", [0, 1, 1]),
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
        ManifestChange.chunk("no bytes", ["lengths": 0]),
        .chunk("negative bytes", ["lengths": -5]),
        .chunk("nothing unpacked", ["unpackedLengths": 0]),
        .chunk("negative unpacked bytes", ["unpackedLengths": -1]),
        .chunk("more bytes than the blob has", ["lengths": 1_000_000]),
        .chunk("huge bytes", ["lengths": .max]), .chunk("the lowest bytes", ["lengths": .min]),
        .chunk("other unpacked bytes than the file's", ["unpackedLengths": 9]),
        .chunk("huge unpacked bytes", ["unpackedLengths": .max]),
        .chunk("a chunk larger than any", ["unpackedLengths": 1 << 20 + 1]),
    ])
    func `a chunk that lies outside or doesn't add up is refused`(_ change: ManifestChange) {
        expectRefusal(change)
    }

    @Test func `more chunks than any content has are refused at once`() throws {
        let count = 4_500_000
        var manifest = try #require(
            try JSONSerialization.jsonObject(
                with: SampleDelivery.plain(delivery.delivery.encodedManifest)) as? [String: Any])
        var entries = try #require(manifest["entries"] as? [[String: Any]])
        try #require(entries.count > 2)
        entries[2]["chunks"] = ["many"]
        entries[2]["length"] = 10 * count
        manifest["entries"] = entries
        // As text: a list of numbers would take a gigabyte.
        let text = String(
            decoding: try JSONSerialization.data(withJSONObject: manifest), as: UTF8.self
        ).replacingOccurrences(
            of: "\"many\"", with: "0,1" + String(repeating: ",0,1", count: count - 1))
        let encoded = try SampleDelivery.compressed(Data(text.utf8))
        let error = #expect(throws: DeliveryError.self) {
            try DeliveryOutline(encoded: encoded).manifest { delivery.table(of: $0) }
        }
        guard case .manifest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["", "[]", "{}", "null", "{\"format\":1}", "\u{0}", "{", "3"])
    func `text that is no manifest is refused`(_ text: String) {
        #expect(throws: DeliveryError.self) { try DeliveryOutline(encoded: Data(text.utf8)) }
        let error = #expect(throws: DeliveryError.self) {
            try DeliveryOutline(encoded: SampleDelivery.compressed(Data(text.utf8)))
        }
        #expect(error?.description.contains("can't be read") == true)
    }

    @Test func `a frame that is cut short, goes on or never ends is refused`() throws {
        let data = delivery.delivery.encodedManifest
        let bomb = try SampleDelivery.compressed(
            Data(repeating: 0x20, count: DeliveryOutline.sizeLimit + 1))
        for damaged in [data.dropLast(), data + [0], data + data, data.prefix(3), bomb] {
            #expect(throws: DeliveryError.self) { try DeliveryOutline(encoded: Data(damaged)) }
        }
    }

    @Test func `a newer format is named`() throws {
        let error = #expect(throws: DeliveryError.self) {
            try delivery.changed { $0["format"] = 7 }
        }
        #expect(error?.description.contains("the unknown format 7") == true)
    }
}
