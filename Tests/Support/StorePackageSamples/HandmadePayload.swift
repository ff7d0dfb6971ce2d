import Foundation

/// A cpio archive written by hand, and the installer package around it.
package struct HandmadePayload {
    package enum Form {
        case odc
        case newc
    }

    package struct Entry {
        package var name: String
        package var mode = 0o100644
        package var bytes = Data()
        package var links = 1
        package var inode = 0
        /// What the header says instead of the truth.
        package var size: Int?
        package var nameSize: Int?
        package var magic: String?

        package init(_ name: String, _ bytes: Data = Data(), mode: Int = 0o100644) {
            self.name = name
            self.bytes = bytes
            self.mode = mode
        }

        /// The entry with something changed.
        package func with(_ change: (inout Entry) -> Void) -> Entry {
            var entry = self
            change(&entry)
            return entry
        }
    }

    package var entries: [Entry]
    package var form = Form.odc
    package var hasTrailer = true
    package var padding = Data(count: 512)

    /// As pkgbuild writes them: all paths begin with a point.
    package init(_ contents: [Entry] = [Entry("./Contents/a", Data("text".utf8))]) {
        entries = [
            Entry(".", mode: 0o40755),
            Entry("./ContentInfo.plist", HandmadePackage.information.bytes ?? Data()),
            Entry("./Contents", mode: 0o40755),
        ]
        entries += contents
    }

    /// The payload with something changed.
    package func with(_ change: (inout HandmadePayload) -> Void) -> HandmadePayload {
        var payload = self
        change(&payload)
        return payload
    }

    package func encoded() -> Data {
        var data = Data()
        let all = hasTrailer ? entries + [Entry("TRAILER!!!", mode: 0)] : entries
        for (number, entry) in all.enumerated() { data += encoded(entry, number + 1) }
        return data + padding
    }

    package func encoded(_ entry: Entry, _ number: Int) -> Data {
        let name = Data(entry.name.utf8) + [0]
        let inode = entry.inode == 0 ? number : entry.inode
        let size = entry.size ?? entry.bytes.count
        let nameSize = entry.nameSize ?? name.count
        func digits(_ value: Int, _ radix: Int, _ count: Int) -> String {
            let text = String(value, radix: radix)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        switch form {
        case .odc:
            let header =
                (entry.magic ?? "070707")
                + [1, inode, entry.mode, 0, 0, entry.links, 0].map { digits($0, 8, 6) }.joined()
                + digits(0, 8, 11) + digits(nameSize, 8, 6) + digits(size, 8, 11)
            return Data(header.utf8) + name + entry.bytes
        case .newc:
            let header =
                (entry.magic ?? "070701")
                + [inode, entry.mode, 0, 0, entry.links, 0, size, 1, 0, 0, 0, nameSize, 0]
                .map { digits($0, 16, 8) }.joined()
            var data = Data(header.utf8) + name
            while data.count % 4 != 0 { data.append(0) }
            data += entry.bytes
            while data.count % 4 != 0 { data.append(0) }
            return data
        }
    }

    /// The component with this payload, as it stands in the distribution.
    package static func component(
        _ payload: Data, name: String = "com.example.chapter.pkg"
    ) -> HandmadePackage.Entry {
        HandmadePackage.folder(
            name,
            [
                HandmadePackage.file("Bom", "BOMStore"),
                HandmadePackage.Entry(name: "Payload", bytes: payload),
                HandmadePackage.file("PackageInfo", "<pkg-info/>"),
            ])
    }

    /// What `productbuild --content` makes of it.
    package static func product(_ payload: Data) -> HandmadePackage {
        HandmadePackage(entries: [
            HandmadePackage.file("Distribution", "<installer-gui-script/>"), component(payload),
        ])
    }

    package var product: HandmadePackage { Self.product(Deflated.gzip(encoded())) }
}
