import Testing

/// One change to the JSON of a manifest that is right.
struct ManifestChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout [String: Any]) -> Void

    init(_ description: String, _ change: @escaping @Sendable (inout [String: Any]) -> Void) {
        testDescription = description
        self.change = change
    }

    /// Changes the file `Contents/one`, which is `entries[2]`.
    static func file(
        _ description: String, _ key: String, _ value: (any Sendable)?
    ) -> ManifestChange {
        ManifestChange(description) { manifest in
            var entries = manifest["entries"] as? [[String: Any]] ?? []
            entries[2][key] = value
            manifest["entries"] = entries
        }
    }

    /// Changes what the first blob says, and of its first chunk.
    static func blob(
        _ description: String, _ values: [String: Int64] = [:], chunk: [String: Int64] = [:]
    ) -> ManifestChange {
        ManifestChange(description) { manifest in
            var blobs = manifest["blobs"] as? [[String: Any]] ?? []
            for (key, value) in values { blobs[0][key] = value }
            var chunks = blobs[0]["chunks"] as? [String: Any] ?? [:]
            for (key, value) in chunk {
                var list = chunks[key] as? [Any] ?? []
                list[0] = value
                chunks[key] = list
            }
            blobs[0]["chunks"] = chunks
            manifest["blobs"] = blobs
        }
    }

    /// Replaces a list of the first blob's chunks.
    static func list(_ description: String, _ key: String, _ value: any Sendable) -> ManifestChange
    {
        ManifestChange(description) { manifest in
            var blobs = manifest["blobs"] as? [[String: Any]] ?? []
            var chunks = blobs[0]["chunks"] as? [String: Any] ?? [:]
            chunks[key] = value
            blobs[0]["chunks"] = chunks
            manifest["blobs"] = blobs
        }
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
