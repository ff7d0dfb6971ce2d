/// A path inside content: relative, `/` between its components, none of them empty,
/// `.` or `..`.
package struct ContentPath: TextIdentifier {
    package static let name = "path inside content"
    package let text: String

    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 1024, !text.utf8.contains(0) else { return nil }
        let components = text.split(separator: "/", omittingEmptySubsequences: false)
        let areSafe = components.allSatisfy { component in
            !component.isEmpty && component.utf8.count <= 255 && component != "."
                && component != ".."
        }
        guard areSafe else { return nil }
        self.text = text
    }

    package var components: [Substring] { text.split(separator: "/") }

    /// Where a symbolic link at this path leads; nil where its target is absolute or
    /// leaves the folder that the path's first component names.
    package func resolving(link target: String) -> ContentPath? {
        guard !target.isEmpty, !target.hasPrefix("/"), !target.utf8.contains(0) else { return nil }
        var stack = Array(components.dropLast())
        for component in target.split(separator: "/", omittingEmptySubsequences: true) {
            switch component {
            case ".": continue
            case "..":
                guard stack.count > 1 else { return nil }
                stack.removeLast()
            default: stack.append(component)
            }
        }
        guard stack.first == components.first else { return nil }
        return ContentPath(stack.joined(separator: "/"))
    }
}
