import Testing

/// One change to the JSON of a manifest that is right.
struct ManifestChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout [String: Any]) -> Void
    let table: @Sendable (inout [String: Any]) -> Void

    init(_ description: String, _ change: @escaping @Sendable (inout [String: Any]) -> Void) {
        testDescription = description
        self.change = change
        table = { _ in }
    }

    init(_ description: String, table: @escaping @Sendable (inout [String: Any]) -> Void) {
        testDescription = description
        self.table = table
        change = { _ in }
    }

    /// Changes the file `Contents/one`, which is `entries[2]`.
    static func file(
        _ description: String, _ key: String, _ value: (any Sendable)?
    ) -> ManifestChange {
        ManifestChange(description) { manifest in
            var entries = manifest["entries"] as? [[String: Any]] ?? []
            if entries.count > 2 { entries[2][key] = value }
            manifest["entries"] = entries
        }
    }

    /// Changes what the manifest says of the first blob.
    static func blob(_ description: String, _ values: [String: Int64]) -> ManifestChange {
        ManifestChange(description) { manifest in
            var blobs = manifest["blobs"] as? [[String: Any]] ?? []
            for (key, value) in values where !blobs.isEmpty { blobs[0][key] = value }
            manifest["blobs"] = blobs
        }
    }

    /// Puts copies of the first blob, changed so, in its place.
    static func blobs(
        _ description: String, _ count: Int, _ values: [String: Int64]
    ) -> ManifestChange {
        ManifestChange(description) { manifest in
            guard var blob = (manifest["blobs"] as? [[String: Any]])?.first else { return }
            for (key, value) in values { blob[key] = value }
            manifest["blobs"] = [[String: Any]](repeating: blob, count: count)
        }
    }

    /// Changes what its table says of its first chunk.
    static func chunk(_ description: String, _ values: [String: Int64]) -> ManifestChange {
        ManifestChange(
            description,
            table: { table in
                for (key, value) in values {
                    var list = table[key] as? [Any] ?? []
                    if !list.isEmpty { list[0] = value }
                    table[key] = list
                }
            })
    }

    /// Replaces a list of its table.
    static func list(_ description: String, _ key: String, _ value: any Sendable) -> ManifestChange
    {
        ManifestChange(description, table: { $0[key] = value })
    }

    /// Adds an entry behind the others.
    static func entry(_ description: String, _ entry: [String: String]) -> ManifestChange {
        ManifestChange(description) { manifest in
            manifest["entries"] = (manifest["entries"] as? [[String: Any]] ?? []) + [entry]
        }
    }

    static func link(_ path: String, to target: String) -> ManifestChange {
        entry("a link \(path) to \(target)", ["kind": "link", "path": path, "target": target])
    }
}
