import CStoreZlib
import CStoreZstd
import Foundation

/// The package of an app written by hand, which can hold what no tool would write.
package struct HandmadeApp {
    package enum Kind {
        case file
        case folder
        case link
        case hardLink
        case device
        case pipe
    }

    package struct Entry {
        package var path: String
        package var kind: Kind
        package var mode: Int
        package var bytes: Data
        /// Where a link leads.
        package var target: String
        /// What the header says instead of the truth.
        package var size: Int?

        package init(
            _ path: String, _ text: String = "", kind: Kind = .file, mode: Int = 0o644,
            target: String = "", size: Int? = nil
        ) {
            self.path = path
            self.kind = kind
            self.mode = mode
            bytes = Data(text.utf8)
            self.target = target
            self.size = size
        }
    }

    package var entries: [Entry]

    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// An app that keeps all rules: a program, metainfo, a desktop entry, an icon and a link.
    package static func good(
        _ bundleID: String = "com.example.lamp", version: String = "1.2",
        program: String = "#!/bin/sh\necho lit\n"
    ) -> HandmadeApp {
        HandmadeApp([
            Entry("usr/bin/lamp", program, mode: 0o755),
            Entry("usr/bin/lampe", kind: .link, mode: 0o777, target: "lamp"),
            Entry(
                "usr/share/metainfo/\(bundleID).metainfo.xml",
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <component type="desktop-application">
                  <id>\(bundleID)</id>
                  <name>Lamp</name>
                  <name xml:lang="de">Lampe</name>
                  <launchable type="desktop-id">\(bundleID).desktop</launchable>
                  <releases>
                    <release version="0.9" date="2026-01-01"/>
                    <release version="\(version)" date="2026-02-01"/>
                  </releases>
                </component>
                """),
            Entry(
                "usr/share/applications/\(bundleID).desktop",
                """
                [Desktop Entry]
                Type=Application
                Name=Lamp
                Name[de]=Lampe
                Exec=lamp --window %U
                Icon=\(bundleID)
                Categories=Utility;

                [Desktop Action off]
                Name=Off
                Exec=rm -rf /
                """),
            Entry("usr/share/icons/hicolor/scalable/apps/\(bundleID).svg", "<svg/>"),
        ])
    }

    /// The same app and one entry more.
    package func with(_ more: Entry...) -> HandmadeApp { HandmadeApp(entries + more) }

    /// The same app without the entries whose path has a text in it.
    package func without(_ text: String) -> HandmadeApp {
        HandmadeApp(entries.filter { $0.path.range(of: text) == nil })
    }

    // MARK: Formats

    package func tar(prefix: String = "") -> Data {
        var data = Data()
        for entry in entries {
            data += Self.tarHeader(entry, prefix + entry.path)
            guard entry.kind == .file else { continue }
            data += entry.bytes + Data(count: (512 - entry.bytes.count % 512) % 512)
        }
        return data + Data(count: 1024)
    }

    package var tarZstd: Data { Self.zstd(tar()) }

    package static func zstd(_ plain: Data) -> Data {
        var packed = Data(count: ZSTD_compressBound(plain.count))
        let count = packed.withUnsafeMutableBytes { packed in
            plain.withUnsafeBytes { plain in
                ZSTD_compress(
                    packed.baseAddress, packed.count, plain.baseAddress, plain.count, 3)
            }
        }
        return packed.prefix(count)
    }

    package func debian(
        control: String = "Package: lamp\nVersion: 1:1.2-3\nArchitecture: amd64\n",
        scripts: [Entry] = [], controlArchives: Int = 1
    ) -> Data {
        let controls = HandmadeApp([Entry("control", control)] + scripts).tar(prefix: "./")
        let parts =
            [("debian-binary", Data("2.0\n".utf8))]
            + Array(
                repeating: ("control.tar.gz", Deflated.gzip(controls)), count: controlArchives)
            + [("data.tar.zst", Self.zstd(tar(prefix: "./")))]
        var data = Data("!<arch>\n".utf8)
        for (name, bytes) in parts {
            let fields =
                [(name, 16), ("0", 12), ("0", 6), ("0", 6), ("100644", 8)]
                + [(String(bytes.count), 10)]
            for (text, width) in fields {
                data += Data(text.padding(toLength: width, withPad: " ", startingAt: 0).utf8)
            }
            data += Data("`\n".utf8) + bytes
            if bytes.count % 2 == 1 { data += Data("\n".utf8) }
        }
        return data
    }

    package var zip: Data {
        var data = Data()
        var table = Data()
        for entry in entries {
            let name = Data((entry.path + (entry.kind == .folder ? "/" : "")).utf8)
            let bytes = entry.kind == .link ? Data(entry.target.utf8) : entry.bytes
            let sum = bytes.withUnsafeBytes { bytes in
                crc32(
                    0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count))
            }
            let size = UInt32(entry.size ?? bytes.count)
            let common =
                little(UInt16(20)) + little(UInt16(0x800)) + little(UInt16(0)) + little(UInt32(0))
                + little(UInt32(sum)) + little(size) + little(size) + little(UInt16(name.count))
                + little(UInt16(0))
            let offset = UInt32(data.count)
            data += Data([0x50, 0x4b, 3, 4]) + common + name + bytes
            let mode = UInt32(Self.type(entry.kind) | entry.mode) << 16
            table += Data([0x50, 0x4b, 1, 2]) + little(UInt16(0x314)) + common
            table += little(UInt16(0)) + little(UInt16(0)) + little(UInt16(0)) + little(mode)
            table += little(offset) + name
        }
        let count = little(UInt16(entries.count))
        return data + table + Data([0x50, 0x4b, 5, 6]) + little(UInt32(0)) + count + count
            + little(UInt32(table.count)) + little(UInt32(data.count)) + little(UInt16(0))
    }

    private static func type(_ kind: Kind) -> Int {
        switch kind {
        case .file, .hardLink: 0o100000
        case .folder: 0o040000
        case .link: 0o120000
        case .device: 0o020000
        case .pipe: 0o010000
        }
    }

    private static func tarHeader(_ entry: Entry, _ path: String) -> Data {
        func octal(_ number: Int, _ width: Int) -> Data {
            let digits = String(number, radix: 8)
            return Data((String(repeating: "0", count: width - 1 - digits.count) + digits).utf8)
                + Data([0])
        }
        func text(_ text: String, _ width: Int) -> Data {
            Data(text.utf8).prefix(width) + Data(count: max(0, width - text.utf8.count))
        }
        let flag =
            switch entry.kind {
            case .file: "0"
            case .hardLink: "1"
            case .link: "2"
            case .device: "3"
            case .folder: "5"
            case .pipe: "6"
            }
        let size = entry.kind == .file ? entry.size ?? entry.bytes.count : 0
        var header = text(path, 100) + octal(entry.mode, 8) + octal(0, 8) + octal(0, 8)
        header += octal(size, 12) + octal(0, 12) + Data("        ".utf8) + Data(flag.utf8)
        header += text(entry.target, 100) + Data("ustar\0".utf8) + Data("00".utf8)
        header += Data(count: 512 - header.count)
        let sum = header.reduce(0) { $0 + Int($1) }
        header.replaceSubrange(148..<156, with: octal(sum, 7) + Data(" ".utf8))
        return header
    }

    private func little(_ number: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }

    // MARK: Single files

    /// The shortest AppImage of type 2.
    package static func appImage(type: UInt8 = 2, isWhole: Bool = true) -> Data {
        var data = Data([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0x41, 0x49, type])
        data += Data(count: 64 - data.count)
        // The table of sections ends the program: it begins at 64 and is empty.
        data[0x28] = 64
        var squashfs = Data("hsqs".utf8) + Data(count: 92)
        squashfs[40] = UInt8(isWhole ? squashfs.count : squashfs.count + 1)
        return data + squashfs
    }

    /// The beginning and the end of a Flatpak bundle: what says which app it is.
    ///
    /// - Parameter damage: changes the dictionary's bytes.
    package static func flatpak(
        _ ref: String = "app/com.example.lamp/x86_64/stable", metainfo: String? = nil,
        damage: (inout Data) -> Void = { _ in }
    ) -> Data {
        var entries = [("flatpak", Data([1, 0, 0x89, 0xe5]) + Data("\0u".utf8))]
        entries.append(("ref", Data(ref.utf8) + Data("\0\0s".utf8)))
        if let metainfo {
            entries.append(("appdata", Deflated.gzip(Data(metainfo.utf8)) + Data("\0ay".utf8)))
        }
        var dictionary = Data()
        var ends: [Int] = []
        for (key, value) in entries {
            dictionary += Data(count: (8 - dictionary.count % 8) % 8)
            var entry = Data(key.utf8) + Data([0])
            let end = entry.count
            entry += Data(count: (8 - entry.count % 8) % 8) + value
            dictionary += entry
            dictionary += entry.count + 1 <= 0xff ? Data([UInt8(end)]) : Data([UInt8(end), 0])
            ends.append(dictionary.count)
        }
        let isShort = dictionary.count + ends.count <= 0xff
        for end in ends {
            dictionary.append(UInt8(end & 0xff))
            if !isShort { dictionary.append(UInt8(end >> 8)) }
        }
        damage(&dictionary)
        // More than 255 bytes and fewer than 65,536: offsets of two bytes, six of them.
        let rest = Data(count: 600)
        let offsets = (0..<6).reversed().map { dictionary.count + ($0 == 0 ? 0 : 500) }
        return dictionary + rest
            + offsets.reduce(into: Data()) { data, end in
                data += Data([UInt8(end & 0xff), UInt8(end >> 8)])
            }
    }
}
