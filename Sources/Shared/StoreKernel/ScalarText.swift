/// Text by its scalars, as files, databases, shells and browsers read it.
///
/// `contains`, `split`, `replacing` and `hasPrefix` of the standard library compare grapheme
/// clusters: `"` with U+0301 behind it is no `"` to them, and U+037E is a semicolon. Whatever
/// escapes, takes apart or checks what came from outside uses these instead.
extension StringProtocol {
    package func contains(scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }

    package func contains(scalars text: some StringProtocol) -> Bool { range(scalars: text) != nil }

    package func hasPrefix(scalars text: some StringProtocol) -> Bool {
        utf8.starts(with: text.utf8)
    }

    package func hasSuffix(scalars text: some StringProtocol) -> Bool {
        unicodeScalars.reversed().starts(with: text.unicodeScalars.reversed())
    }

    /// What comes behind a beginning; nil for text that begins otherwise.
    package func dropping(prefix: some StringProtocol) -> SubSequence? {
        guard hasPrefix(scalars: prefix) else { return nil }
        let length = prefix.unicodeScalars.count
        return self[unicodeScalars.index(startIndex, offsetBy: length)...]
    }

    /// What comes before an end; nil for text that ends otherwise.
    package func dropping(suffix: some StringProtocol) -> SubSequence? {
        guard hasSuffix(scalars: suffix) else { return nil }
        let length = suffix.unicodeScalars.count
        return self[..<unicodeScalars.index(endIndex, offsetBy: -length)]
    }

    /// Where a text occurs first; nil where it does not.
    package func range(scalars text: some StringProtocol) -> Range<Index>? {
        let bytes = utf8
        var start = bytes.startIndex
        while true {
            let rest = bytes[start...]
            if rest.starts(with: text.utf8) {
                return start..<rest.index(start, offsetBy: text.utf8.count)
            }
            guard start < bytes.endIndex else { return nil }
            start = bytes.index(after: start)
        }
    }

    package func split(
        scalar: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        unicodeScalars.split(
            separator: scalar, maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    package func replacing(scalar: Unicode.Scalar, with text: String) -> String {
        guard contains(scalar: scalar) else { return String(self) }
        var result = String.UnicodeScalarView()
        for each in unicodeScalars {
            if each == scalar {
                result.append(contentsOf: text.unicodeScalars)
            } else {
                result.append(each)
            }
        }
        return String(result)
    }

    package func replacing(scalars text: String, with other: String) -> String {
        var result = ""
        var rest = Substring(self)
        while let found = rest.range(scalars: text) {
            result += rest[..<found.lowerBound] + other
            rest = rest[found.upperBound...]
        }
        return result + rest
    }
}

/// The same for `String` without generics: generic code is not specialized for callers in other modules.
extension String {
    package func hasPrefix(scalars text: String) -> Bool { utf8.starts(with: text.utf8) }

    package func hasSuffix(scalars text: String) -> Bool {
        utf8.count >= text.utf8.count && utf8.suffix(text.utf8.count).elementsEqual(text.utf8)
    }

    package func contains(scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }
}
