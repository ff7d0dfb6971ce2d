/// Patterns of LIKE with `ESCAPE '\'`.
enum LikePattern {
    /// Finds where the text is somewhere, its `%` and `_` as they are.
    static func containing(_ text: String) -> String {
        let escaped = text.replacing(scalar: "\\", with: "\\\\")
            .replacing(scalar: "%", with: "\\%").replacing(scalar: "_", with: "\\_")
        return "%\(escaped)%"
    }
}
