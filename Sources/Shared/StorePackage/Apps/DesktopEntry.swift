import Foundation

/// The desktop entry of an app, as it came with its package.
///
/// Source: https://specifications.freedesktop.org/desktop-entry-spec/latest/
package struct DesktopEntry: Sendable {
    /// A file of more bytes is refused.
    package static let sizeLimit: Int64 = 256 << 10
    /// What is taken over from a package's own entry, with its languages.
    private static let kept: Set<String> = [
        "Name", "GenericName", "Comment", "Keywords", "Categories", "MimeType", "Terminal",
        "StartupNotify", "StartupWMClass",
    ]

    private var values: [(key: String, value: String)] = []

    /// Nil where the text has no group `[Desktop Entry]`.
    package init?(_ data: Data) {
        var group = ""
        var seen: Set<String> = []
        var isEntry = false
        for line in String(decoding: data, as: UTF8.self).split(scalar: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix(scalars: "[") {
                group = line
                isEntry = isEntry || group == "[Desktop Entry]"
                continue
            }
            guard group == "[Desktop Entry]", !line.hasPrefix(scalars: "#"),
                !line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { continue }
            let parts = line.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let key = parts[0].trimmingCharacters(in: .whitespaces)
            guard seen.insert(key).inserted else { continue }
            values.append((key, parts[1].trimmingCharacters(in: .whitespaces)))
        }
        guard isEntry else { return nil }
    }

    package subscript(key: String) -> String? { values.first { $0.key == key }?.value }

    /// The program that `Exec` names; nil where it names none.
    package var program: String? { command?.program }

    /// What stands behind the program in `Exec`, as it is written.
    package var arguments: String { command?.arguments ?? "" }

    private var command: (program: String, arguments: String)? {
        guard let text = self["Exec"] else { return nil }
        if let quoted = text.dropping(prefix: "\"") {
            guard let end = quoted.unicodeScalars.firstIndex(of: "\"") else { return nil }
            let name = String(quoted[..<end])
            // What would have to be unescaped is no name that packages have.
            guard !name.isEmpty, !name.contains(scalar: "\\") else { return nil }
            let rest = quoted[quoted.unicodeScalars.index(after: end)...]
            return (name, rest.trimmingCharacters(in: .whitespaces))
        }
        let parts = text.split(scalar: " ", maxSplits: 1)
        guard let name = parts.first else { return nil }
        return (String(name), parts.count > 1 ? String(parts[1]) : "")
    }

    /// The lines that say what an app is called and belongs to, and not how it is started.
    package var descriptiveLines: [String] {
        values.compactMap { key, value in
            let name = key.split(scalar: "[", maxSplits: 1).first.map(String.init) ?? key
            return Self.kept.contains(name) ? "\(key)=\(value)" : nil
        }
    }
}
