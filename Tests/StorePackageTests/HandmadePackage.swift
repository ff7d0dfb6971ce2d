import Foundation
import StoreModel
import StoreTestSupport

/// A xar archive written by hand, which can hold what no tool would write.
///
/// The layout is header, table of contents (XML in zlib's format) and heap. The table is
/// stored without compression, checksums are left out, files lie in the heap as they are.
struct HandmadePackage {
    struct Entry {
        var name: String
        var type = "file"
        var mode = "0644"
        var link: String?
        var bytes: Data?
        /// Bytes of the heap left unused in front of this file's.
        var gap = 0
        var children: [Entry] = []
    }

    static let information = Entry(
        name: "ContentInfo.plist",
        bytes: Data(SampleShop.contentInfo("com.example.chapter", version: "1.0").utf8))

    var entries: [Entry]

    /// The information and a folder `Contents` with these entries.
    init(contents: [Entry], information: Entry? = HandmadePackage.information) {
        let folder = Entry(name: "Contents", type: "directory", mode: "0755", children: contents)
        entries = (information.map { [$0] } ?? []) + [folder]
    }

    init(entries: [Entry]) {
        self.entries = entries
    }

    static func file(
        _ name: String, _ text: String = "x", mode: String = "0644"
    ) -> Entry {
        Entry(name: name, mode: mode, bytes: Data(text.utf8))
    }

    static func link(_ name: String, to target: String) -> Entry {
        Entry(name: name, type: "symlink", mode: "0777", link: target)
    }

    static func folder(_ name: String, _ children: [Entry] = []) -> Entry {
        Entry(name: name, type: "directory", mode: "0755", children: children)
    }

    func encoded() -> Data {
        var heap = Data()
        var number = 0
        let body = entries.map { Self.xml($0, &number, &heap) }.joined()
        let contents = Data(
            #"<?xml version="1.0" encoding="UTF-8"?><xar><toc>\#(body)</toc></xar>"#.utf8)
        let packed = Self.zlib(contents)
        var data = Data("xar!".utf8)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
        }
        append(UInt16(28))
        append(UInt16(1))
        append(UInt64(packed.count))
        append(UInt64(contents.count))
        append(UInt32(0))
        return data + packed + heap
    }

    /// Bytes of the archive in front of the heap.
    var heapOffset: Int {
        let encoded = encoded()
        var number = 0
        var heap = Data()
        _ = entries.map { Self.xml($0, &number, &heap) }
        return encoded.count - heap.count
    }

    private static func xml(_ entry: Entry, _ number: inout Int, _ heap: inout Data) -> String {
        number += 1
        // A name may hold anything, and XML not, so names travel in base64.
        let name = Data(entry.name.utf8).base64EncodedString()
        var text = #"<file id="\#(number)"><name enctype="base64">\#(name)</name>"#
        text += "<type>\(entry.type)</type><mode>\(entry.mode)</mode>"
        if let link = entry.link { text += #"<link type="file">\#(link)</link>"# }
        if let bytes = entry.bytes {
            heap.append(Data(count: entry.gap))
            text += """
                <data><length>\(bytes.count)</length><offset>\(heap.count)</offset>\
                <size>\(bytes.count)</size><encoding style="application/octet-stream"/></data>
                """
            heap.append(bytes)
        }
        for child in entry.children { text += xml(child, &number, &heap) }
        return text + "</file>"
    }

    /// Stored blocks of RFC 1951 between the header and checksum of RFC 1950.
    private static func zlib(_ bytes: Data) -> Data {
        var data = Data([0x78, 0x01])
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let end = min(start + 65_535, bytes.count)
            let count = UInt16(end - start)
            data.append(end == bytes.count ? 1 : 0)
            for number in [count, ~count] {
                withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
            }
            data.append(bytes[start..<end])
        }
        withUnsafeBytes(of: (high << 16 | low).bigEndian) { data.append(contentsOf: $0) }
        return data
    }
}
