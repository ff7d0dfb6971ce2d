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

    /// Changes the only chunk of that file.
    static func chunk(_ description: String, _ values: [String: Int64]) -> ManifestChange {
        ManifestChange(description) { manifest in
            var entries = manifest["entries"] as? [[String: Any]] ?? []
            var chunks = entries[2]["chunks"] as? [[String: Any]] ?? []
            for (key, value) in values {
                if key == "fileLength" {
                    entries[2]["length"] = value
                } else {
                    chunks[0][key] = value
                }
            }
            entries[2]["chunks"] = chunks
            manifest["entries"] = entries
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
