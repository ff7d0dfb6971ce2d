import Foundation

/// Checks the length and the characters of a text from a form or a request (input validation). The caller
/// words the error.
struct TextRule: Sendable {
    /// Why a text is refused.
    enum Violation: Error, Equatable {
        case empty
        /// The text is too short or too long; the value is its length in Unicode scalars.
        case length(Int)
        /// The text contains control characters.
        case characters
        /// The text contains bidirectional formatting characters.
        case direction
    }

    /// In Unicode scalars (code points); one visible character can have several.
    let length: ClosedRange<Int>
    /// Whether it may have line breaks and tabs. Line breaks are kept as line feeds.
    var allowsLines = false
    /// Whether it may have embeddings, overrides and isolates of Unicode's bidirectional algorithm,
    /// which change the direction of the text around them.
    var allowsBidirectionalControls = true

    /// Checks the text; returns it trimmed.
    func checked(_ text: String) throws(Violation) -> String {
        var text =
            Self.needsNoTrimming(text)
            ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)
        if allowsLines, text.contains(scalar: "\r") {
            // Browsers count a line break once, and send two characters.
            text = text.replacing(scalars: "\r\n", with: "\n")
                .replacing(scalar: "\r", with: "\n")
        }
        let count = text.unicodeScalars.count
        guard count > 0 || length.contains(0) else { throw .empty }
        guard length.contains(count) else { throw .length(count) }
        for scalar in text.unicodeScalars {
            guard !Self.isControl(scalar) || allowsLines && ["\n", "\t"].contains(scalar)
            else { throw .characters }
            guard allowsBidirectionalControls || !Self.isBidirectionalControl(scalar) else {
                throw .direction
            }
        }
        return text
    }

    /// A quick check: true means that there is nothing to trim; false means that it is not known.
    private static func needsNoTrimming(_ text: String) -> Bool {
        let visible: ClosedRange<UInt32> = 0x21...0x7E
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
            return true
        }
        return visible.contains(first.value) && visible.contains(last.value)
    }

    /// Unicode's general category Cc.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func isBidirectionalControl(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}
