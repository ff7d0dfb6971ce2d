import CStoreZstd
import Foundation
import StoreDelivery
import StoreModel
import StorePackageSamples
import StoreMetadata

// Writes what fuzzing begins with into the folder that it is called with: there is a folder for
// each target of Scripts/fuzz.sh.

/// What fuzzing changes costs time by its length.
let sizeLimit = 60_000

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: StoreFuzzSeeds FOLDER\n".utf8))
    exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1])

func write(_ data: Data, _ kind: String, _ name: String) throws {
    guard data.count <= sizeLimit else { return }
    let file = folder.appendingPathComponent(kind).appendingPathComponent(name)
    try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
}

// The first byte says what the others are; see Fuzz/PackageFuzz.swift.
let lamp = HandmadeApp.good()
try write(Data("x".utf8) + lamp.zip, "app", "zip")
try write(Data("x".utf8) + lamp.debian(), "app", "debian")
try write(Data("x".utf8) + HandmadeApp.appImage(), "app", "appimage")
try write(Data("x".utf8) + HandmadeApp.flatpak(), "app", "flatpak")
try write(Data("t".utf8) + lamp.tar(), "app", "tar")
for entry in lamp.entries where entry.path.hasSuffix(".xml") || entry.path.hasSuffix(".desktop") {
    let mark = entry.path.hasSuffix(".xml") ? "m" : "d"
    try write(Data(mark.utf8) + entry.bytes, "app", "text-\(mark)")
}

for (number, package) in HostilePackage.all.enumerated() {
    try write(Data("x".utf8) + package.encoded(), "package", "hostile-\(number)")
}
let contents = [
    HandmadePackage.file("a", "some text"), HandmadePackage.link("l", to: "a"),
    HandmadePackage.folder("d", [HandmadePackage.file("b", "more text")]),
]
let package = HandmadePackage(contents: contents)
let (table, heap) = package.parts
try write(Data("x".utf8) + package.encoded(), "package", "flat")
try write(Data("t".utf8) + table + heap, "package", "table")
let payload = HandmadePayload([
    .init("./Contents/a", Data("text".utf8)),
    .init("./Contents/l", Data("a".utf8), mode: 0o120777),
])
try write(Data("x".utf8) + payload.product.encoded(), "package", "installer")
try write(Data("c".utf8) + payload.encoded(), "package", "odc")
try write(Data("c".utf8) + payload.with { $0.form = .newc }.encoded(), "package", "newc")
let information = HandmadePackage.information.bytes ?? Data()
try write(Data("p".utf8) + information, "package", "information")
let list = try PropertyListSerialization.propertyList(from: information, format: nil)
try write(
    Data("p".utf8)
        + PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0),
    "package", "information-binary")

let blob = folder.appendingPathComponent("blob")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: blob) }
let writer = try DeliveryWriter(blob: blob)
writer.addDirectory(ContentPath("Contents")!)
for (name, length) in [("a", 0), ("b", 100), ("c", 3_000_000)] {
    let bytes = SampleBytes.noise(length, seed: 1)
    try writer.addFile(ContentPath("Contents/\(name)")!) { sink in
        try bytes.withUnsafeBytes(sink)
    }
}
writer.addLink(ContentPath("Contents/l")!, target: "a")
let delivery = try writer.finish(
    contentIdentifier: ProductID("com.example.chapter")!, version: ContentVersion("1.0")!)
/// The outline and the table of the blob, as the target splits them.
func seed(_ outline: Data, _ table: Data) -> Data {
    Data([UInt8(outline.count >> 8), UInt8(outline.count & 255)]) + outline + table
}

func unpacked(_ packed: Data) -> Data {
    var plain = Data(count: 1 << 20)
    let length = plain.withUnsafeMutableBytes { output in
        packed.withUnsafeBytes { input in
            ZSTD_decompress(output.baseAddress, output.count, input.baseAddress, input.count)
        }
    }
    precondition(ZSTD_isError(length) == 0, "a manifest is compressed with zstd")
    return plain.prefix(length)
}

let outline = delivery.encodedManifest
let chunkTable = try Data(contentsOf: blob).suffix(
    Int(delivery.manifest.blobs[0].reference.tableLength))
try write(seed(outline, chunkTable), "manifest", "packed")
try write(seed(unpacked(outline), unpacked(chunkTable)), "manifest", "plain")

// The first byte is the length of the pieces that a file is read in; see Fuzz/MetadataFuzz.swift.
let day = CalendarDay("2026-01-17")
let md5 = String(repeating: "0", count: 32)
let listed = MetadataProduct(
    productID: ProductID("com.example.chapter")!, type: .nonConsumable,
    referenceName: "A & <b> \"c\"",
    territories: [
        MetadataTerritory(
            storefront: nil, isClearedForSale: true,
            prices: [MetadataPrice(tier: "1", end: day), MetadataPrice(tier: "2", start: day)]),
        MetadataTerritory(storefront: .unitedStates, isClearedForSale: false),
    ],
    texts: [MetadataText(locale: "en-US", title: "Chapter", description: "The \u{1F4D6} one.")],
    reviewNotes: "Line\nline",
    reviewScreenshot: MetadataAttachment(name: "a.png", size: 1, md5: md5),
    content: MetadataAttachment(name: "a.pkg", size: 2, md5: md5),
    readOnly: ["iap-status": "Approved"])
var file = Data()
var productWriter = try ProductMetadataWriter(
    MetadataHeader(provider: "A", teamID: "B", vendorID: "SKU", appleID: 1)
) { file += $0 }
try productWriter.add(listed)
try productWriter.finish()
try write(Data([255]) + file, "metadata", "written")
try write(Data([0]) + file, "metadata", "written-bytewise")
let text = String(decoding: file, as: UTF8.self)
for (number, (part, other)) in [
    ("<product_id>", "<!-- a - b --><?c d?><product_id>"), ("Chapter", "<![CDATA[a]]]]>&#x10FFFF;"),
    ("<?xml", "<!DOCTYPE a [<!ENTITY b \"c\">]><?xml"), ("</locales>", "</locale>"),
    (" version=\"1.0\"", " version='1.0'"), ("<locales>", "<locales/><locales x=''>"),
].enumerated() {
    try write(
        Data([63]) + Data(text.replacing(part, with: other).utf8), "metadata", "changed-\(number)")
}

for seed in try SecuritySeeds.all() + DeviceSeeds.all() + StoreSeeds.all() {
    try write(seed.data, seed.kind, seed.name)
}
