import Foundation
import StoreDelivery
import StoreModel
import StoreTestSupport

/// Content with everything that content can have, and the delivery made of it.
struct SampleDelivery {
    static let productID = ProductID("com.example.chapter")!
    static let version = ContentVersion("1.0")!

    /// zstd's buffers have 128 KB; both large files are several times that, and arrive
    /// in pieces that are no power of two.
    static let files: [(path: String, bytes: Data)] = [
        ("Contents/empty", Data()),
        ("Contents/one", Data([0x2a])),
        (
            "Contents/text.txt",
            Data(String(repeating: "It was a dark night.\n", count: 30_000).utf8)
        ),
        ("Contents/pictures/noise.bin", SampleShop.noise(700_001, seed: 7)),
        ("Contents/a/b/c/deep.txt", Data("deep".utf8)),
        ("Contents/章.txt", Data("第一章".utf8)),
    ]
    static let pieceSize = 100_003

    let folder: TemporaryFolder
    let manifest: DeliveryManifest

    var blob: URL { folder.file("blob") }
    var content: URL { folder.file("content") }

    init(files: [(path: String, bytes: Data)] = SampleDelivery.files) throws {
        folder = try TemporaryFolder()
        let writer = try DeliveryWriter(blob: folder.file("blob"))
        writer.addDirectory(ContentPath("Contents")!)
        writer.addDirectory(ContentPath("Contents/hollow")!)
        for file in files {
            try writer.addFile(ContentPath(file.path)!) { sink in
                for start in stride(from: 0, to: file.bytes.count, by: Self.pieceSize) {
                    let end = min(start + Self.pieceSize, file.bytes.count)
                    try file.bytes[start..<end].withUnsafeBytes(sink)
                }
            }
        }
        writer.addLink(ContentPath("Contents/a/latest")!, target: "../text.txt")
        manifest = try writer.finish(contentIdentifier: Self.productID, version: Self.version)
    }

    func assemble(_ manifest: DeliveryManifest? = nil, blob: URL? = nil) throws {
        try DeliveryAssembler(manifest: manifest ?? self.manifest)
            .assemble(blob: blob ?? self.blob, into: content)
    }

    /// What lies in the folder of the delivery, without the blobs.
    func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .filter { !$0.hasPrefix("blob") }
    }
}

extension DeliveryManifest {
    /// The manifest with one change to its JSON, read back by the rules.
    func changed(_ change: (inout [String: Any]) -> Void) throws -> DeliveryManifest {
        try DeliveryManifest(encoded: changedJSON(change))
    }

    func changedJSON(_ change: (inout [String: Any]) -> Void) throws -> Data {
        var object =
            try JSONSerialization.jsonObject(with: encoded()) as? [String: Any] ?? [:]
        change(&object)
        return try JSONSerialization.data(withJSONObject: object)
    }
}
