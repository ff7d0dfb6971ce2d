import Foundation

/// How the store writes the address that somebody signs in with.
package enum EmailAddress {
    /// The most bytes of an address (RFC 5321, 4.5.3.1.3, less the angle brackets).
    package static let longest = 254

    /// In lower case, without white space around it, whatever it is.
    package static func normalized(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }

    /// The address as it is kept; nil for what is none: two parts with one `@` between them,
    /// without white space or control characters, ``longest`` bytes at most.
    package static func wellFormed(_ text: String) -> String? {
        let address = normalized(text)
        let parts = address.split(scalar: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), address.utf8.count <= longest,
            !address.contains(where: { $0.isWhitespace || $0.isNewline }),
            !address.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return address
    }
}
