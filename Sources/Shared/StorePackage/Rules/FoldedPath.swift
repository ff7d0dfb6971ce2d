import Foundation

/// A path as a file system sees it that knows neither case nor composition.
enum FoldedPath {
    /// The same text for all paths that some file system could take for one another:
    /// Unicode's compatibility decomposition, full case folding, and nothing left of
    /// what does not show.
    static func key(_ path: String) -> String {
        if path.utf8.allSatisfy({ $0 < 0x80 }) { return path.lowercased() }
        return path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { name in
                // A letter like U+2100 is decomposed into a slash among others.
                folded(String(Substring(name))).replacing(scalar: "/", with: "\u{2f}\u{338}")
            }
            .joined(separator: "/")
    }

    private static func folded(_ name: String) -> String {
        // By way of the upper case, so that dotless i and final sigma lose what makes them
        // differ, as they do where names are compared in upper case.
        var upper = String.UnicodeScalarView()
        for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars
        where !scalar.properties.isDefaultIgnorableCodePoint {
            upper.append(contentsOf: scalar.properties.uppercaseMapping.unicodeScalars)
        }
        return String(upper).folding(options: .caseInsensitive, locale: nil)
            .decomposedStringWithCompatibilityMapping
            .replacing(scalars: "i\u{307}", with: "i")
    }
}
