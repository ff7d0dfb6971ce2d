import StoreKernel

/// The name of a file that somebody uploads.
package enum FileName {
    /// Whether a text is one: 1 to 255 bytes, without slashes and invisible characters, not beginning
    /// with a dot.
    package static func isValid(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.hasPrefix(scalars: ".")
            && text.unicodeScalars.allSatisfy(isPlain)
    }

    /// Whether everybody sees a character. Joiners are invisible too, but some languages need them.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: scalar != "/" && scalar != "\\"
        }
    }
}
