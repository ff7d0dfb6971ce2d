import Foundation
import StorePackage

private typealias Package = HandmadePackage

extension HostilePackage {
    // MARK: ContentInfo.plist

    static let informations: [HostilePackage] =
        [
            ("empty information", ""), ("information of text", "no property list"),
            ("information that is a list", "<plist version=\"1.0\"><array/></plist>"),
            ("information without keys", "<plist version=\"1.0\"><dict/></plist>"),
            ("information of ten thousand levels", nested(10_000)),
            ("information of a million brackets", String(repeating: "(", count: 1_000_000)),
            ("information with entities", entities),
        ].map { name, text in
            HostilePackage(name, .information, at: "ContentInfo.plist") {
                Package(contents: [], information: Package.information(text)).encoded()
            }
        }
        + ["", "1.x", "1..2", ".1", "1.", "-1", "99999999999", "1.0 "].map { version in
            HostilePackage(
                "version \"\(version)\"", .information, at: "ContentInfo.plist"
            ) {
                let text = SampleBytes.information("com.example.chapter", version: version)
                return Package(contents: [], information: Package.information(text)).encoded()
            }
        } + [
            HostilePackage("version that is a number", .information, at: "ContentInfo.plist") {
                let text = SampleBytes.information("com.example.chapter", version: "1.0")
                    .replacingOccurrences(of: "<string>1.0</string>", with: "<real>1.0</real>")
                return Package(contents: [], information: Package.information(text)).encoded()
            },
            HostilePackage("information of binary garbage", .information, at: "ContentInfo.plist") {
                let bytes = Data("bplist00".utf8) + SampleBytes.noise(500, seed: 3)
                return Package(
                    contents: [],
                    information: Package.Entry(name: "ContentInfo.plist", bytes: bytes)
                ).encoded()
            },
            HostilePackage("information that unfolds", .information, at: "ContentInfo.plist") {
                Package(
                    contents: [],
                    information: Package.Entry(name: "ContentInfo.plist", bytes: unfolding)
                ).encoded()
            },
            HostilePackage("information that is a set", .information, at: "ContentInfo.plist") {
                // Found by fuzzing: Foundation crashes over it.
                let bytes = Data(
                    base64Encoded: "YnBsaXN0MDDCAQIDBF5Db250ZW50VmVyc2lvbl8QFElBUARebm9kdWN0SWRl"
                        + "bnRpZmllclMyLjBfEBNjb20uZXhhbXBsZS5jaGFwdGVyCA0cMzcAAAAAAAABAQAA"
                        + "AAAAAAAFAAAAAAAAAAAAAAAAAAAATQ==")
                return Package(
                    contents: [],
                    information: Package.Entry(name: "ContentInfo.plist", bytes: bytes)
                ).encoded()
            },
            HostilePackage("no information", .information, at: "ContentInfo.plist") {
                Package(contents: [Package.file("a")], information: nil).encoded()
            },
            HostilePackage("information of two megabytes", .limits, at: "ContentInfo.plist") {
                let text = String(repeating: " ", count: 2 << 20)
                return Package(contents: [], information: Package.information(text)).encoded()
            },
            HostilePackage("information that is a link", .information, at: "ContentInfo.plist") {
                Package(
                    contents: [Package.file("a")],
                    information: Package.link("ContentInfo.plist", to: "Contents/a")
                ).encoded()
            },
        ]

    private static func nested(_ depth: Int) -> String {
        "<plist version=\"1.0\"><dict><key>a</key>" + String(repeating: "<array>", count: depth)
            + String(repeating: "</array>", count: depth) + "</dict></plist>"
    }

    private static let entities = """
        <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">\
        <!ENTITY c "&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;">]><plist version="1.0"><dict>\
        <key>ContentVersion</key><string>&d;</string></dict></plist>
        """

    /// Forty lists, each of which holds the next one twice.
    private static var unfolding: Data {
        var data = Data("bplist00".utf8)
        var offsets: [Int] = []
        for number in 0..<40 {
            offsets.append(data.count)
            data.append(contentsOf: [0xa2, UInt8(number + 1), UInt8(number + 1)])
        }
        offsets.append(data.count)
        data.append(8)
        let table = data.count
        for offset in offsets {
            data.append(contentsOf: [UInt8(offset >> 8), UInt8(offset & 255)])
        }
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 2, 1])
        for number in [41, 0, table] {
            withUnsafeBytes(of: UInt64(number).bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    // MARK: Offsets and lengths

    static let extents: [HostilePackage] =
        [
            ("offset behind the end", "10000000", nil, nil),
            ("offset of 2^62", "4611686018427387904", nil, nil),
            ("offset of a thousand digits", String(repeating: "9", count: 1000), nil, nil),
            ("negative offset", "-5", nil, nil), ("length behind the end", nil, "10000000", nil),
            ("length of 2^63", nil, "9223372036854775808", nil),
            ("size too large", nil, nil, "100"),
            ("size too small", nil, nil, "1"), ("size without length", nil, "0", "100"),
        ].map { (name: String, offset: String?, length: String?, size: String?) in
            HostilePackage(name, .readable, at: "Contents/a") {
                Package(contents: [
                    Package.file("a", "text").with {
                        $0.offset = offset
                        $0.length = length
                        $0.size = size
                    }, Package.file("b", "more text"),
                ]).encoded()
            }
        } + [
            HostilePackage("files that share bytes", .readable, at: "Contents/b") {
                Package(contents: [
                    Package.file("a", String(repeating: "a", count: 1000)).with {
                        $0.offset = "400"
                    },
                    Package.file("b", String(repeating: "b", count: 1000)).with {
                        $0.offset = "900"
                    },
                    Package.file("c", String(repeating: "c", count: 1000)),
                ]).encoded()
            },
            HostilePackage("size of all disks", .limits) {
                Package(contents: [Package.file("a").with { $0.size = "900000000000000000" }])
                    .encoded()
            },
            HostilePackage("heap cut short", .readable, at: "Contents/b") {
                Package(contents: [Package.file("a"), Package.file("b", "some text")]).encoded()
                    .dropLast(4)
            },
            HostilePackage("compressed contents of garbage", .readable, at: "Contents/a") {
                Package(contents: [
                    Package.Entry(name: "a", bytes: SampleBytes.noise(5000, seed: 4))
                        .with { $0.encoding = "application/x-gzip" }
                ]).encoded()
            },
            HostilePackage("bytes behind compressed contents", .readable, at: "Contents/a") {
                let packed = Deflated.zlib(Data("text".utf8))
                return Package(contents: [
                    Package.Entry(name: "a", bytes: packed + Data(count: 100)).with {
                        $0.encoding = "application/x-gzip"
                        $0.size = "4"
                    }
                ]).encoded()
            },
            HostilePackage("wrong checksum", .readable, at: "Contents/a") {
                Package(contents: [
                    Package.file("a", "text").with {
                        $0.encoding =
                            "application/octet-stream\"/><extracted-checksum style=\"sha1\">"
                            + "0123456789012345678901234567890123456789</extracted-checksum>"
                            + "<ignored a=\""
                    }
                ]).encoded()
            },
            HostilePackage("contents in xz", .readable, at: "Contents/a") {
                Package(contents: [
                    Package.file("a").with { $0.encoding = "application/x-xz" }
                ]).encoded()
            },
        ]

    // MARK: Headers and tables of contents

    static let tables: [HostilePackage] =
        [
            table("garbage for a table") {
                $0.packedTable = (SampleBytes.noise(500, seed: 5), 5000)
            },
            table("table longer than announced") { $0.unpackedLength = 100 },
            table("table shorter than announced") { $0.unpackedLength = 9000 },
            table("table that ends early") { $0.packedLength = 4000 },
            table("table behind the end") { $0.packedLength = 1 << 62 },
            table("table of 2^64 bytes") { $0.unpackedLength = .max },
            table("unknown checksum") { $0.checksum = 99 },
            table("header of two bytes") { $0.headerSize = 2 },
            table("table in UTF-16") {
                $0.changeTable = { $0.replacingOccurrences(of: "UTF-8", with: "UTF-16") }
            },
            table("table with a declaration") {
                $0.changeTable = {
                    $0.replacingOccurrences(
                        of: "<xar>",
                        with: "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><xar>")
                }
            },
            table("table with a comment in a name") {
                $0.changeTable = {
                    $0.replacingOccurrences(of: "</name>", with: "<!-- -->x</name>")
                }
            },
            table("name in pieces") {
                $0.changeTable = {
                    $0.replacingOccurrences(of: "</name>", with: "<x/>QQ==</name>")
                }
            },
            table("two names") {
                $0.changeTable = {
                    $0.replacingOccurrences(of: "<type>", with: "<name>b</name><type>")
                }
            },
            table("table that is not closed") {
                $0.changeTable = { $0.replacingOccurrences(of: "</toc></xar>", with: "") }
            },
            table("tags that cross") {
                $0.changeTable = {
                    $0.replacingOccurrences(of: "</name><type>", with: "</type><name>")
                }
            },
            HostilePackage("folders a thousand deep", .limits) {
                var folder = Package.folder("a")
                for _ in 0..<1000 { folder = Package.folder("a", [folder]) }
                return Package(contents: [folder]).encoded()
            },
            HostilePackage("files without a name in a long path", .limits) {
                let name = String(repeating: "n", count: 65_000)
                let folders = (1...9).map { _ in "<file><name>\(name)</name><type>directory</type>"
                }
                let files = String(repeating: "<file><name/><data/></file>", count: 19_900)
                let ends = String(repeating: "</file>", count: folders.count)
                return Package(contents: [Package.file("a", "text")]).with {
                    $0.changeTable = {
                        $0.replacingOccurrences(
                            of: "</toc></xar>",
                            with: folders.joined() + files + ends + "</toc></xar>")
                    }
                }.encoded()
            },
            HostilePackage("names that double at each level", .limits) {
                let name = String(repeating: "n", count: 200)
                var folder = Package.folder(name, (0..<20_000).map { Package.file("\($0)") })
                for _ in 0..<50 { folder = Package.folder(name, [folder]) }
                return Package(contents: [folder]).encoded()
            },
        ]

    private static func table(
        _ name: String, _ change: @escaping @Sendable (inout HandmadePackage) -> Void
    ) -> HostilePackage {
        HostilePackage(name, .readable) {
            Package(contents: [Package.file("a", "text"), Package.file("b", "more")])
                .with(change).encoded()
        }
    }
}
