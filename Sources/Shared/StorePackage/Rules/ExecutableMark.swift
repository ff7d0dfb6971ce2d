import Foundation

/// The first bytes by which executable code is known.
enum ExecutableMark {
    /// Bytes of a file that `kind(of:)` needs to see.
    static let length = 8

    /// What the file that begins like this is; nil where it is no executable code.
    static func kind(of start: Data) -> String? {
        marks.first { start.starts(with: $0.0) }?.1
    }

    private static let marks: [([UInt8], String)] = [
        ([0x7f, 0x45, 0x4c, 0x46], "an ELF program"),
        ([0x4d, 0x5a], "a Windows program"),
        ([0x23, 0x21], "a script"),
        ([0xfe, 0xed, 0xfa, 0xce], "a Mach-O program"),
        ([0xfe, 0xed, 0xfa, 0xcf], "a Mach-O program"),
        ([0xce, 0xfa, 0xed, 0xfe], "a Mach-O program"),
        ([0xcf, 0xfa, 0xed, 0xfe], "a Mach-O program"),
        ([0xca, 0xfe, 0xba, 0xbe], "a Mach-O or Java program"),
        ([0xbe, 0xba, 0xfe, 0xca], "a Mach-O program"),
        ([0xca, 0xfe, 0xba, 0xbf], "a Mach-O program"),
        ([0xbf, 0xba, 0xfe, 0xca], "a Mach-O program"),
    ]
}
