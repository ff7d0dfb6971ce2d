import Foundation
import StoreModel

/// How the store writes the address that somebody signs in with.
package enum EmailAddress {
    /// In lower case, without white space around it, whatever it is.
    package static func normalized(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    }

    /// The address as it is kept; nil for what is none: two parts with one `@` between them,
    /// without white space or control characters, 254 bytes at most.
    package static func wellFormed(_ text: String) -> String? {
        let address = normalized(text)
        let parts = address.split(scalar: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), address.utf8.count <= 254,
            !address.contains(where: { $0.isWhitespace || $0.isNewline }),
            !address.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return address
    }
}
