import StoreModel

/// A file of a version of hosted content.
package struct ContentFile: Sendable, Hashable {
    package let path: String
    /// Bytes.
    package let length: Int64
    /// What its bytes are known by: other bytes, another text.
    package let fingerprint: String

    package init(path: String, length: Int64, fingerprint: String) {
        self.path = path
        self.length = length
        self.fingerprint = fingerprint
    }
}

/// Lists the files of hosted content by its manifest, in any order; nil if the store has given up the
/// manifest's bytes.
package typealias ManifestReader = @Sendable (ContentDigest) async throws -> [ContentFile]?

/// Which files another version of hosted content adds, changes and removes.
package struct ContentDiff: Sendable, Hashable {
    package let added: [ContentFile]
    package let changed: [ContentFile]
    package let removed: [ContentFile]
    /// Files that are the same in both.
    package let unchanged: Int

    package init(from before: [ContentFile], to after: [ContentFile]) {
        let old = Dictionary(before.map { ($0.path, $0) }) { first, _ in first }
        let new = Dictionary(after.map { ($0.path, $0) }) { first, _ in first }
        func sorted(_ files: some Sequence<ContentFile>) -> [ContentFile] {
            files.sorted { $0.path < $1.path }
        }
        added = sorted(new.values.filter { old[$0.path] == nil })
        removed = sorted(old.values.filter { new[$0.path] == nil })
        let kept = new.values.filter { old[$0.path] != nil }
        changed = sorted(
            kept.filter { old[$0.path]?.fingerprint != $0.fingerprint })
        unchanged = kept.count - changed.count
    }
}
