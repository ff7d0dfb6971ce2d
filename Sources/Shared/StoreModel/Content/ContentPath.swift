/// A path inside content: relative, `/` between its components, none of them empty,
/// `.` or `..`: no path traversal out of the content's folder.
package struct ContentPath: TextIdentifier {
    package static let name = "path inside content"
    package let text: String

    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 1024, !text.utf8.contains(0) else { return nil }
        let components = Self.split(text)
        let areSafe = components.allSatisfy { component in
            !component.isEmpty && component.utf8.count <= 255 && component != "."
                && component != ".."
        }
        guard areSafe else { return nil }
        self.text = text
    }

    package var components: [Substring] { Self.split(text) }

    /// The folder that the path lies in; nil at the top.
    package var parent: ContentPath? {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return ContentPath(String(text[..<slash]))
    }

    /// Split at the bytes that a file system splits at: to Swift, a slash and a combining
    /// mark behind it are one character that is no slash.
    private static func split(_ text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map(Substring.init)
    }

    /// Where a symbolic link at this path leads; nil where its target is absolute or
    /// leaves the folder that the path's first component names.
    ///
    /// A target goes up only at its beginning. `a/..` is refused: `a` may be a link
    /// itself, and then `a/..` is not where it seems to be.
    package func resolving(link target: String) -> ContentPath? {
        guard let first = target.utf8.first, first != UInt8(ascii: "/"), !target.utf8.contains(0)
        else { return nil }
        var stack = Array(components.dropLast())
        var hasNames = false
        for component in Self.split(target) {
            switch component {
            case "", ".": continue
            case "..":
                guard !hasNames, stack.count > 1 else { return nil }
                stack.removeLast()
            default:
                hasNames = true
                stack.append(component)
            }
        }
        guard stack.first == components.first else { return nil }
        return ContentPath(stack.joined(separator: "/"))
    }
}
