/// Something in a package that the store does not take.
package struct PackageProblem: Sendable, Hashable, CustomStringConvertible {
    /// The rule that was broken.
    package enum Rule: String, Sendable, Hashable, CaseIterable {
        /// The file's name ends in `.pkg`.
        case fileName
        /// The file is a whole and readable xar archive.
        case readable
        /// A flat archive, or one component as `productbuild --content` makes it.
        case layout
        /// At most so many bytes, entries, characters and levels, and no bombs.
        case limits
        /// `ContentInfo.plist` is there, readable and complete.
        case information
        /// The information names the product that the content is for.
        case product
        /// The version is higher than the one before.
        case version
        /// Paths are relative and stay inside; only `ContentInfo.plist` and `Contents/`.
        case paths
        /// No two paths that a file system could take for the same.
        case duplicates
        /// Only files, folders, and symbolic links that stay inside `Contents/`; no hard
        /// links, not even inside: a file that is there twice is stored twice.
        case kinds
        /// No executable code.
        case executables
    }

    /// The path inside the package; empty where it is about the whole.
    package let path: String
    package let rule: Rule
    /// What is wrong and what to do.
    package let advice: String

    package var description: String {
        path.isEmpty ? advice : "\(path.printable): \(advice)"
    }
}

/// A package, or a folder meant to become one, that breaks rules.
package struct PackageError: Error, Sendable, CustomStringConvertible {
    package let problems: [PackageProblem]

    package init(_ problems: [PackageProblem]) {
        precondition(!problems.isEmpty, "a package error names at least one problem")
        self.problems = problems
    }

    package init(_ rule: PackageProblem.Rule, _ advice: String, path: String = "") {
        self.init([PackageProblem(path: path, rule: rule, advice: advice)])
    }

    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

extension String {
    /// The text with control characters written as `\u{…}`: paths come from strangers
    /// and end up on terminals.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            if scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
