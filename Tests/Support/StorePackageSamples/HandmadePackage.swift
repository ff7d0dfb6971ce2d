import Foundation

/// A xar archive written by hand, which can hold what no tool would write.
///
/// The layout is header, table of contents (XML in zlib's format) and heap. Checksums are
/// left out, files lie in the heap as they are.
package struct HandmadePackage {
    package struct Entry {
        package var name: String
        package var type = "file"
        package var mode = "0644"
        package var link: String?
        package var bytes: Data?
        /// Bytes of the heap left unused in front of this file's.
        package var gap = 0
        package var children: [Entry] = []
        /// The element with the name, where it is not the name in base64.
        package var nameElement: String?
        package var typeAttributes = ""
        /// What the table says instead of the truth.
        package var offset: String?
        package var length: String?
        package var size: String?
        package var encoding = "application/octet-stream"
        /// More elements of the file.
        package var elements = ""

        package init(name: String, bytes: Data? = nil) {
            self.name = name
            self.bytes = bytes
        }

        /// The entry with something changed.
        package func with(_ change: (inout Entry) -> Void) -> Entry {
            var entry = self
            change(&entry)
            return entry
        }
    }

    package static let information = information(
        SampleBytes.information("com.example.chapter", version: "1.0"))

    package static func information(_ text: String) -> Entry {
        Entry(name: "ContentInfo.plist", bytes: Data(text.utf8))
    }

    package var entries: [Entry]
    /// Changes the table of contents before it is packed.
    package var changeTable: (String) -> String = { $0 }
    /// The table as it is packed, and its length; nil where that follows from the table.
    package var packedTable: (bytes: Data, length: Int)?
    /// What the header says instead of the truth.
    package var packedLength: UInt64?
    package var unpackedLength: UInt64?
    package var checksum: UInt32 = 0
    package var headerSize: UInt16 = 28

    /// The information and a folder `Contents` with these entries.
    package init(contents: [Entry], information: Entry? = HandmadePackage.information) {
        let folder = Self.folder("Contents", contents)
        entries = (information.map { [$0] } ?? []) + [folder]
    }

    package init(entries: [Entry]) {
        self.entries = entries
    }

    /// The package with something changed.
    package func with(_ change: (inout HandmadePackage) -> Void) -> HandmadePackage {
        var package = self
        change(&package)
        return package
    }

    package static func file(_ name: String, _ text: String = "x", mode: String = "0644") -> Entry {
        Entry(name: name, bytes: Data(text.utf8)).with { $0.mode = mode }
    }

    package static func link(_ name: String, to target: String) -> Entry {
        Entry(name: name).with {
            $0.type = "symlink"
            $0.mode = "0777"
            $0.link = target
        }
    }

    package static func folder(_ name: String, _ children: [Entry] = []) -> Entry {
        Entry(name: name).with {
            $0.type = "directory"
            $0.mode = "0755"
            $0.children = children
        }
    }

    package func encoded() -> Data {
        let (table, heap) = parts
        return encoded(table, heap)
    }

    /// A package with this table of contents, up to the end of its element, and with what
    /// stands behind that as its heap.
    package static func encoded(table: Data) -> Data {
        let end = table.firstRange(of: Data("</xar>".utf8))?.upperBound ?? table.endIndex
        return HandmadePackage(entries: []).encoded(
            Data(table[..<end]), Data(table[end...]))
    }

    /// The table of contents and the heap.
    package var parts: (table: Data, heap: Data) {
        var heap = Data()
        var number = 0
        let body = entries.map { Self.xml($0, &number, &heap) }.joined()
        let table = changeTable(
            #"<?xml version="1.0" encoding="UTF-8"?><xar><toc>\#(body)</toc></xar>"#)
        return (Data(table.utf8), heap)
    }

    private func encoded(_ table: Data, _ heap: Data) -> Data {
        let packed = packedTable?.bytes ?? Deflated.zlib(table)
        var data = Data("xar!".utf8)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
        }
        append(headerSize)
        append(UInt16(1))
        append(packedLength ?? UInt64(packed.count))
        append(unpackedLength ?? UInt64(packedTable?.length ?? table.count))
        append(checksum)
        return data + packed + heap
    }

    /// Bytes of the archive in front of the heap.
    package var heapOffset: Int { encoded().count - parts.heap.count }

    private static func xml(_ entry: Entry, _ number: inout Int, _ heap: inout Data) -> String {
        number += 1
        // A name may hold anything, and XML not, so names travel in base64.
        let name = Data(entry.name.utf8).base64EncodedString()
        var text = #"<file id="\#(number)">"#
        text += entry.nameElement ?? #"<name enctype="base64">\#(name)</name>"#
        text += "<type\(entry.typeAttributes)>\(entry.type)</type><mode>\(entry.mode)</mode>"
        if let link = entry.link { text += #"<link type="file">\#(link)</link>"# }
        text += entry.elements
        if let bytes = entry.bytes {
            heap.append(Data(count: entry.gap))
            text += """
                <data><length>\(entry.length ?? "\(bytes.count)")</length>\
                <offset>\(entry.offset ?? "\(heap.count)")</offset>\
                <size>\(entry.size ?? "\(bytes.count)")</size>\
                <encoding style="\(entry.encoding)"/></data>
                """
            heap.append(bytes)
        }
        for child in entry.children { text += xml(child, &number, &heap) }
        return text + "</file>"
    }
}
