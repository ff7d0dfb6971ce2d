import Foundation
import StorePackage

/// A package that must be refused, with the rule that it breaks.
package struct HostilePackage: Sendable, CustomStringConvertible {
    /// What is wrong with it, in words that make a file's name.
    package let name: String
    package let rule: PackageProblem.Rule
    /// A path that must be among the named ones; nil for a problem of the whole.
    package let path: String?
    private let make: @Sendable () -> Data

    package init(
        _ name: String, _ rule: PackageProblem.Rule, at path: String? = nil,
        _ make: @escaping @Sendable () -> Data
    ) {
        self.name = name
        self.rule = rule
        self.path = path
        self.make = make
    }

    package var description: String { name }

    package func encoded() -> Data { make() }

    /// All of them.
    package static let all: [HostilePackage] =
        kinds + names + executables + informations + extents + tables + payloads + bombs
}

private typealias Package = HandmadePackage
private typealias Payload = HandmadePayload

extension HostilePackage {
    /// A package with entries below `Contents` that have something wrong with them.
    private static func contents(
        _ name: String, _ rule: PackageProblem.Rule, at path: String? = nil,
        _ entries: @escaping @Sendable () -> [HandmadePackage.Entry]
    ) -> HostilePackage {
        HostilePackage(name, rule, at: path) { Package(contents: entries()).encoded() }
    }

    // MARK: Links and special files

    static let kinds: [HostilePackage] =
        [
            ("absolute link", "/etc/passwd"), ("link upward", ".."),
            ("link to outside", "../../etc/passwd"),
            ("link to the information", "../ContentInfo.plist"),
            ("link down and up", "a/../../x"), ("link to nothing", ""),
            ("link with a newline", "a\nb"),
        ].map { name, target in
            contents(name, .kinds, at: "Contents/l") { [Package.link("l", to: target)] }
        } + [
            contents("file below a link", .paths, at: "Contents/l/passwd") {
                [Package.link("l", to: "."), Package.file("l/passwd")]
            },
            contents("file below a link in another case", .paths, at: "Contents/L/passwd") {
                [Package.link("l", to: "."), Package.file("L/passwd")]
            },
            contents("link of a megabyte", .kinds, at: "Contents/l") {
                [Package.link("l", to: String(repeating: "a/", count: 30_000))]
            },
            contents("hard link to another file", .kinds, at: "Contents/b") {
                [
                    Package.file("a").with { $0.typeAttributes = #" link="original""# },
                    Package.file("b").with {
                        $0.typeAttributes = #" link="3""#
                        $0.type = "hardlink"
                        $0.bytes = nil
                    },
                ]
            },
            contents("hard link to nothing", .kinds) {
                [
                    Package.file("b").with {
                        $0.typeAttributes = #" link="77""#
                        $0.bytes = nil
                    }
                ]
            },
            contents("five thousand hard links", .kinds) {
                (0..<5000).map { number in
                    Package.file("f\(number)").with {
                        $0.typeAttributes = " link=\"\(90_000 + number)\""
                        $0.bytes = nil
                    }
                }
            },
        ]
        + ["fifo", "socket", "character special", "block special"].map { type in
            contents(type, .kinds, at: "Contents/x") {
                [
                    Package.file("x").with {
                        $0.type = type
                        $0.bytes = nil
                    }
                ]
            }
        }

    // MARK: Names

    static let names: [HostilePackage] =
        [
            ("path upward", "..", PackageProblem.Rule.paths),
            ("path outward", "../../etc/x", .paths),
            ("absolute name", "/etc/x", .paths), ("name of a point", ".", .paths),
            ("name with a newline", "a\nb", .paths),
            ("name with a bell", "a\u{7}", .paths),
            ("name that turns around", "gpj\u{202e}exe", .paths),
            ("overlong name", String(repeating: "a", count: 256), .limits),
            ("overlong path", String(repeating: "abcdefg/", count: 130) + "a", .limits),
            ("deep path", String(repeating: "a/", count: 70) + "a", .limits),
        ].map { title, name, rule in
            contents(title, rule, at: rule == .paths ? "Contents/\(name)" : nil) {
                [Package.file(name)]
            }
        } + [
            contents("name with a NUL", .paths, at: "Contents/a\0.exe") {
                [Package.file("a\0.exe")]
            },
            contents("name that is not UTF-8", .paths) {
                [
                    Package.file("x").with {
                        $0.nameElement =
                            "<name enctype=\"base64\">"
                            + Data([0x61, 0xff, 0xfe]).base64EncodedString() + "</name>"
                    }
                ]
            },
            contents("empty name", .paths) { [Package.file("")] },
            HostilePackage("file beside the content", .paths, at: "install") {
                Package(entries: [Package.information, Package.file("install")]).encoded()
            },
        ]
        + [
            ("same path twice", "a", "a"), ("paths that differ in case", "read.me", "READ.ME"),
            ("paths that differ in composition", "\u{e9}", "e\u{301}"),
            ("paths that differ in compatibility", "\u{fb01}", "fi"),
            ("paths that differ in sharp s", "stra\u{df}e", "STRASSE"),
            ("paths that differ in the dot of i", "\u{131}", "I"),
            ("paths that differ in width", "\u{ff21}", "a"),
            ("paths that differ in what does not show", "a\u{200d}b", "ab"),
        ].map { title, first, second in
            contents(title, .duplicates, at: "Contents/\(second)") {
                [Package.file(first), Package.file(second)]
            }
        } + [
            contents("file that is a folder as well", .paths, at: "Contents/a") {
                [Package.file("a/b"), Package.file("a")]
            },
            contents("folders that differ in case", .duplicates, at: "Contents/A/y") {
                [Package.file("a/x"), Package.file("A/y")]
            },
        ]

    // MARK: Executables

    static let executables: [HostilePackage] =
        [
            ("ELF program", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]),
            ("Windows program", [0x4d, 0x5a, 0x90]),
            ("script", Array("#!/bin/sh\nrm -rf /\n".utf8)),
            ("Mach-O of 32 bits", [0xce, 0xfa, 0xed, 0xfe, 7]),
            ("Mach-O of 64 bits", [0xcf, 0xfa, 0xed, 0xfe, 7]),
            ("Mach-O the other way round", [0xfe, 0xed, 0xfa, 0xcf, 7]),
            ("fat Mach-O", [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2]),
            ("fat Mach-O of 64 bits", [0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 2]),
        ].map { (name: String, bytes: [UInt8]) in
            contents(name, .executables, at: "Contents/x") {
                [Package.Entry(name: "x", bytes: Data(bytes))]
            }
        }
        + ["0755", "0645", "04644", "02644"].map { mode in
            contents("file of mode \(mode)", .executables, at: "Contents/x") {
                [Package.file("x", mode: mode)]
            }
        }
}
