import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

/// The cursor of a list in `links.next`: that of the repository, bound to the list that it
/// was given for, so that one of another list or filter is refused instead of showing
/// something else.
enum PageCursor {
    static func encode(_ cursor: String, for request: HTTPRequest) -> String {
        Base64URL.encode(Data("\(binding(request)).\(cursor)".utf8))
    }

    /// - Throws: `JSONAPIErrors` for a cursor that this list has not given.
    static func decode(_ text: String, for request: HTTPRequest) throws -> String {
        let refusal = JSONAPIErrors([
            .parameter("cursor", PageRequest.badCursor.description)
        ])
        guard text.utf8.count <= 2000, let data = Base64URL.decode(text),
            let cursor = String(data: data, encoding: .utf8)
        else { throw refusal }
        let parts = cursor.split(
            scalar: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == binding(request) else { throw refusal }
        return String(parts[1])
    }

    private static func binding(_ request: HTTPRequest) -> String {
        let parts =
            [request.path]
            + request.query.filter {
                $0.name.hasPrefix(scalars: "filter[") || $0.name.hasPrefix(scalars: "exists[")
                    || $0.name == "sort"
            }.map { "\($0.name)=\($0.value)" }.sorted()
        let digest = SHA256Digest.hex(Data(parts.joined(separator: "\n").utf8))
        return String(digest.prefix(12))
    }
}
