import Foundation
import StorePackage

private typealias Package = HandmadePackage
private typealias Payload = HandmadePayload

extension HostilePackage {
    // MARK: Payloads

    static let payloads: [HostilePackage] =
        [
            payload("payload cut short", .readable) { Payload().encoded().dropLast(700) },
            payload("payload without an end", .readable) {
                Payload().with {
                    $0.hasTrailer = false
                    $0.padding = Data()
                }.encoded()
            },
            payload("bytes behind the payload's end", .readable) {
                Payload().with { $0.padding = Data("more".utf8) }.encoded()
            },
            payload("header of garbage", .readable) {
                Payload([.init("./Contents/a").with { $0.magic = "070708" }]).encoded()
            },
            payload("size that leads behind the end", .readable) {
                Payload([.init("./Contents/a", Data("text".utf8)).with { $0.size = 99_999 }])
                    .encoded()
            },
            payload("size that leads into contents", .readable) {
                Payload([.init("./Contents/a", Data(count: 500)).with { $0.size = 100 }]).encoded()
            },
            payload("size that hides an entry", .readable) {
                let hidden = Payload().encoded(.init("../../etc/passwd"), 99)
                return Payload([.init("./Contents/a", hidden).with { $0.size = 3 }]).encoded()
            },
            payload("name of eight megabytes", .readable) {
                Payload([.init("./Contents/a").with { $0.nameSize = 0o777777 }]).encoded()
            },
            payload("name of four gigabytes", .readable) {
                Payload([.init("./Contents/a").with { $0.nameSize = 0xffff_ffff }])
                    .with { $0.form = .newc }.encoded()
            },
            payload("empty name in the payload", .readable) {
                Payload([.init("./Contents/a").with { $0.nameSize = 0 }]).encoded()
            },
            payload("link of eight gigabytes", .readable) {
                Payload([.init("./Contents/l", mode: 0o120777).with { $0.size = 0o77777777777 }])
                    .encoded()
            },
            payload("name with a NUL in the payload", .paths) {
                Payload([.init("./Contents/a\0.exe")]).encoded()
            },
            payload("path upward in the payload", .paths) {
                Payload([.init("./Contents/../../x")]).encoded()
            },
            payload("absolute path in the payload", .paths) {
                Payload([.init("/etc/passwd")]).encoded()
            },
            payload("link outward in the payload", .kinds) {
                Payload([.init("./Contents/l", Data("/etc/passwd".utf8), mode: 0o120777)]).encoded()
            },
            payload("hard link in the payload", .kinds) {
                Payload([
                    .init("./Contents/a", Data("text".utf8)).with {
                        $0.links = 2
                        $0.inode = 77
                    },
                    .init("./Contents/b").with {
                        $0.links = 2
                        $0.inode = 77
                    },
                ]).encoded()
            },
            payload("device in the payload", .kinds) {
                Payload([.init("./Contents/sda", mode: 0o60644)]).encoded()
            },
            payload("script in the payload", .executables) {
                Payload([.init("./Contents/x", Data("#!/bin/sh\n".utf8))]).encoded()
            },
            payload("setuid in the payload", .executables) {
                Payload([.init("./Contents/x", Data("text".utf8), mode: 0o104644)]).encoded()
            },
            payload("payload in the binary form of cpio", .layout) {
                Data([0xc7, 0x71]) + Data(count: 100)
            },
            HostilePackage("payload that is damaged", .readable) {
                var bytes = Deflated.gzip(
                    Payload([.init("./Contents/n", SampleBytes.noise(50_000, seed: 6))]).encoded())
                bytes[25_000] ^= 1
                return Payload.product(bytes).encoded()
            },
            raw("payload in pbzx") { Data("pbzx".utf8) + Data(count: 100) },
            raw("payload in bzip2") { Data("BZh91AY&SY".utf8) + Data(count: 100) },
            raw("payload that is a package") { Package(contents: []).encoded() },
            raw("payload that is a zip") { Data([0x50, 0x4b, 3, 4]) + Data(count: 100) },
            raw("payload in gzip twice") { Deflated.gzip(Deflated.gzip(Payload().encoded())) },
            raw("empty payload") { Data() },
            HostilePackage("two components", .layout, at: "other.pkg/Payload") {
                let packed = Deflated.gzip(Payload().encoded())
                var package = Payload.product(packed)
                package.entries.append(Payload.component(packed, name: "other.pkg"))
                return package.encoded()
            },
            HostilePackage("no payload", .layout) {
                Package(entries: [
                    Package.file("Distribution"),
                    Package.folder("a.pkg", [Package.file("PackageInfo")]),
                ]).encoded()
            },
            HostilePackage("two payloads", .layout, at: "Payload") {
                let packed = Deflated.gzip(Payload().encoded())
                return Package(entries: [
                    Package.file("PackageInfo"), Package.Entry(name: "Payload", bytes: packed),
                    Package.Entry(name: "Payload", bytes: packed),
                ]).encoded()
            },
            HostilePackage("installer scripts", .executables, at: "Scripts") {
                var package = Payload().product
                package.entries.append(Package.file("Scripts", "cpio"))
                return package.encoded()
            },
            HostilePackage("package in a package", .layout, at: "inner.pkg/Contents") {
                let inner = Package(contents: [])
                return Package(entries: [
                    Package.folder("inner.pkg", inner.entries)
                ]).encoded()
            },
        ]

    private static func payload(
        _ name: String, _ rule: PackageProblem.Rule, _ make: @escaping @Sendable () -> Data
    ) -> HostilePackage {
        HostilePackage(name, rule) { Payload.product(Deflated.gzip(make())).encoded() }
    }

    private static func raw(
        _ name: String, _ make: @escaping @Sendable () -> Data
    ) -> HostilePackage {
        HostilePackage(name, .layout) { Payload.product(make()).encoded() }
    }

    // MARK: Bombs

    static let bombs: [HostilePackage] = [
        HostilePackage("zip bomb", .limits, at: "Contents/zeros") {
            bomb(megabytes: 1000, packedBesides: 6_000_000)
        },
        HostilePackage("zip bomb beyond the limit", .limits) {
            bomb(megabytes: 9000, packedBesides: 0)
        },
        HostilePackage("bombs in a row", .limits) {
            let (bytes, length) = Deflated.repeating(
                Data(count: 1 << 20), times: 60, between: Data(), and: Data(), form: .zlib)
            return Package(
                contents: (0..<100).map { number in
                    Package.Entry(name: "\(number)", bytes: bytes).with {
                        $0.encoding = "application/x-gzip"
                        $0.size = "\(length)"
                    }
                }
            ).encoded()
        },
        HostilePackage("bomb that lies of its size", .readable, at: "Contents/zeros") {
            let (bytes, _) = Deflated.repeating(
                Data(count: 1 << 20), times: 1000, between: Data(), and: Data(), form: .zlib)
            return Package(contents: [
                Package.Entry(name: "zeros", bytes: bytes).with {
                    $0.encoding = "application/x-gzip"
                    $0.size = "10"
                }
            ]).encoded()
        },
        HostilePackage("bomb in the payload", .limits) {
            let entry = Payload.Entry("./Contents/zeros").with { $0.size = 1000 << 20 }
            let start = Payload([entry]).with {
                $0.hasTrailer = false
                $0.padding = Data()
            }
            return Payload.product(
                Deflated.repeating(
                    Data(count: 1 << 20), times: 1000, between: start.encoded(), and: Data(),
                    form: .gzip
                ).bytes
            ).encoded()
        },
        HostilePackage("zeros behind the payload's end", .readable) {
            Payload.product(
                Deflated.repeating(
                    Data(count: 1 << 20), times: 1000, between: Payload().encoded(), and: Data(),
                    form: .gzip
                ).bytes
            ).encoded()
        },
        HostilePackage("ten million entries", .limits) { entries(announced: nil) },
        HostilePackage("ten million entries that are not announced", .readable) {
            entries(announced: 20_000)
        },
        HostilePackage("ten million entries in the payload", .limits) {
            let entry = Payload().encoded(.init(".", mode: 0o40755), 5)
            let start = Payload([]).with {
                $0.hasTrailer = false
                $0.padding = Data()
            }
            var block = Data()
            for _ in 0..<1000 { block += entry }
            return Payload.product(
                Deflated.repeating(
                    block, times: 10_000, between: start.encoded(), and: Data(), form: .gzip
                ).bytes
            ).encoded()
        },
        HostilePackage("a hundred thousand entries", .limits) {
            Package(contents: (0..<100_000).map { Package.file("\($0)") }).encoded()
        },
        HostilePackage("twenty thousand attributes of one file", .readable) {
            let attributes = (0..<20_000).map { "<ea id=\"\(20_000 - $0)\"><name>a</name></ea>" }
            return Package(contents: [Package.file("a").with { $0.elements = attributes.joined() }])
                .encoded()
        },
    ]

    private static func bomb(megabytes: Int, packedBesides: Int) -> Data {
        let (bytes, length) = Deflated.repeating(
            Data(count: 1 << 20), times: megabytes, between: Data(), and: Data(), form: .zlib)
        return Package(contents: [
            Package.Entry(name: "noise", bytes: SampleBytes.noise(packedBesides, seed: 8)),
            Package.Entry(name: "zeros", bytes: bytes).with {
                $0.encoding = "application/x-gzip"
                $0.size = "\(length)"
            },
        ]).encoded()
    }

    private static func entries(announced: Int?) -> Data {
        let entry = "<file id=\"7\"><name>a</name><type>file</type><mode>0644</mode></file>"
        let block = Data(String(repeating: entry, count: 1000).utf8)
        let (bytes, length) = Deflated.repeating(
            block, times: 10_000, between: Data("<xar><toc>".utf8), and: Data("</toc></xar>".utf8),
            form: .zlib)
        return Package(contents: []).with {
            $0.packedTable = (bytes, length)
            $0.unpackedLength = announced.map(UInt64.init)
        }.encoded()
    }
}
