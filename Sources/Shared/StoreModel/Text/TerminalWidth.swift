extension String {
    /// Columns on a terminal: East Asian wide characters take two, combining marks none
    /// (Unicode Standard Annex 11; libc's `wcwidth` is not visible to Swift).
    package var terminalWidth: Int {
        unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }
}

private let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
    0xa000...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
    0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff, 0x20000...0x3fffd,
]

private func width(of scalar: Unicode.Scalar) -> Int {
    guard scalar.value >= 0x300 else { return scalar.value < 0x20 ? 0 : 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default:
        // Emoji that are drawn in colour are wide; the two letters of a flag share it.
        let isFlagLetter = (0x1f1e6...0x1f1ff).contains(scalar.value)
        let isEmoji = scalar.properties.isEmojiPresentation && !isFlagLetter
        return isEmoji || wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
    }
}
