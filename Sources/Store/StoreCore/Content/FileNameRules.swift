import StoreKernel
import StoreModel

/// What the name of a file that somebody uploads may be.
package enum FileNameRules {
    package static let sentence =
        "The name of a file has 1 to 255 bytes, no slash and no invisible character, and does not begin "
        + "with a dot."

    package static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.hasPrefix(scalars: ".")
            && text.unicodeScalars.allSatisfy(isPlain)
    }

    /// - Throws: `ConnectRefusal` with the rule `fileName`.
    package static func check(_ fileName: String) throws {
        guard isName(fileName) else {
            throw ConnectRefusal(
                .invalid, rule: "fileName", field: "fileName", sentence,
                help: "Give the file's own name, without its folder.")
        }
    }

    /// What reads the same for whoever looks at it; joiners belong to some languages' words.
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
