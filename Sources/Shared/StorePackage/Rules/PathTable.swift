import StoreModel

/// The paths of a package so far, as they would lie in a folder.
struct PathTable {
    /// Why a path can't lie beside the others.
    enum Conflict {
        case twice
        /// Another path that a file system could take for this one.
        case resembles(String)
        /// Something lies below what is no folder.
        case belowLeaf
        case tooMany
    }

    private struct Node {
        var isFolder: Bool
        /// Whether the package has an entry for it, or only for something below it.
        var isListed: Bool
        /// As it is written; nil where it is written as its key.
        var spelling: String?
    }

    private var nodes: [String: Node] = [:]
    /// Folders that stand in no entry cost memory as well.
    private let limit: Int
    /// The same text for all paths that a file system could take for one another.
    private let key: (String) -> String

    init(limit: Int, key: @escaping (String) -> String = FoldedPath.key) {
        self.limit = limit
        self.key = key
    }

    /// Puts a path in its place, with the folders above it.
    mutating func insert(_ path: ContentPath, isFolder: Bool) -> Conflict? {
        let key = key(path.text)
        if let conflict = insertFolders(above: path) { return conflict }
        guard var node = nodes[key] else {
            nodes[key] = Node(
                isFolder: isFolder, isListed: true, spelling: key == path.text ? nil : path.text)
            return nodes.count > limit ? .tooMany : nil
        }
        let spelling = node.spelling ?? key
        guard spelling == path.text else { return .resembles(spelling) }
        guard !node.isListed else { return .twice }
        guard isFolder else { return .belowLeaf }
        node.isListed = true
        nodes[key] = node
        return nil
    }

    private mutating func insertFolders(above path: ContentPath) -> Conflict? {
        var folder = path.parent
        while let above = folder {
            let key = key(above.text)
            if let node = nodes[key] {
                guard node.isFolder else { return .belowLeaf }
                let spelling = node.spelling ?? key
                return spelling == above.text ? nil : .resembles(spelling)
            }
            nodes[key] = Node(
                isFolder: true, isListed: false, spelling: key == above.text ? nil : above.text)
            guard nodes.count <= limit else { return .tooMany }
            folder = above.parent
        }
        return nil
    }
}
