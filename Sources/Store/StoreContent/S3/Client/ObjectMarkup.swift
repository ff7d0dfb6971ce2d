import Foundation
import StoreMetadata

/// What an object store's XML says: fields of the whole, and repeated elements with theirs.
struct ObjectMarkup {
    /// More of an answer is not read.
    static let limit = 8 << 20

    let root: String
    let fields: [String: String]
    private(set) var records: [(name: String, fields: [String: String])] = []

    /// - Parameter repeated: names of the elements below the first that are gathered.
    /// - Throws: `ObjectStoreError` with `answer` for what is no XML, or too large.
    init(_ data: Data, repeated: Set<String> = []) throws {
        var limits = MarkupLimits()
        limits.bytes = Self.limit
        limits.depth = 8
        // An answer that takes long may begin with white space, which keeps the connection open.
        let reader = MarkupReader(
            limits: limits, bytes: Array(data.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }))
        var path: [String] = []
        var (fields, record, text, root) = ([String: String](), [String: String](), "", "")
        do {
            while let event = try reader.next() {
                switch event {
                case .start(let tag):
                    if path.isEmpty { root = tag.name }
                    path.append(tag.name)
                    if path.count == 2 { record = [:] }
                    text = ""
                case .text(let piece): text += piece
                case .end(let name):
                    if path.count == 2, repeated.contains(name) {
                        records.append((name, record))
                    } else if path.count == 2 {
                        fields[name] = text
                    } else if path.count == 3 {
                        record[name] = text
                    }
                    path.removeLast()
                    text = ""
                }
            }
        } catch let error as MarkupError {
            throw ObjectStoreError(
                .answer, "The object store's answer can't be read: \(error)")
        }
        self.root = root
        self.fields = fields
    }

    /// A moment such as `2026-11-23T01:58:41.000Z`, without its fraction.
    static func date(_ text: String) -> Date? {
        try? Date(text.prefix(19) + "Z", strategy: .iso8601)
    }
}
