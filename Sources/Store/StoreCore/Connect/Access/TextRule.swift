import Foundation

/// What a text may be that somebody writes into a field: the one check of lengths and characters. Whoever
/// asks says in its own words what is wrong.
struct TextRule: Sendable {
    /// Why a text is refused.
    enum Violation: Error {
        case missing
        /// It has so many Unicode scalars.
        case length(Int)
        /// It has characters that can't be seen.
        case characters
        /// It has characters that turn the direction of what stands around it.
        case direction
    }

    /// Unicode scalars: a character consists of any number of them.
    let length: ClosedRange<Int>
    /// Whether it may have several lines, and tabs.
    var allowsLines = false
    /// Whether it may have embeddings, overrides and isolates of Unicode's bidirectional algorithm.
    var allowsTurning = true

    /// The text without white space around it.
    func checked(_ text: String) throws(Violation) -> String {
        let text =
            Self.isBare(text) ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)
        let count = text.unicodeScalars.count
        guard count > 0 || length.contains(0) else { throw .missing }
        guard length.contains(count) else { throw .length(count) }
        for scalar in text.unicodeScalars {
            guard !Self.isControl(scalar) || allowsLines && Self.isOfLines(scalar) else {
                throw .characters
            }
            guard allowsTurning || !Self.isTurning(scalar) else { throw .direction }
        }
        return text
    }

    /// Whether a text certainly begins and ends without spaces, as most do.
    private static func isBare(_ text: String) -> Bool {
        let visible: ClosedRange<UInt32> = 0x21...0x7E
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
            return true
        }
        return visible.contains(first.value) && visible.contains(last.value)
    }

    /// Unicode's general categories Cc, Zl and Zp, which are closed.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            || (0x2028...0x2029).contains(scalar.value)
    }

    private static func isOfLines(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\t", "\u{2028}", "\u{2029}"].contains(scalar)
    }

    private static func isTurning(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}
