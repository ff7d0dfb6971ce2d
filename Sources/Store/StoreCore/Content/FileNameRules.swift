import StoreModel

/// What the name of a file that a publisher uploads may be.
package enum FileNameRules {
    /// - Throws: `ConnectRefusal` with the rule `fileName`.
    package static func check(_ fileName: String) throws {
        guard FileName.isValid(fileName) else {
            throw ConnectRefusal(
                .invalid, rule: "fileName", field: "fileName",
                "The name of a file has 1 to 255 bytes, no slash or backslash and no invisible "
                    + "character, and does not begin with a dot.",
                help: "Give the file's own name, without its folder.")
        }
    }
}
