import Foundation
import StoreCore
import StoreHTTP
import StoreWire

/// A request to Connect's API whose sender may make it, and whose form is right: what an
/// operation gets.
package struct ConnectCall: Sendable {
    package let services: APIServices
    package let actor: ConnectActor
    package let request: HTTPRequest
    /// What the request was checked by.
    let description: APIDescription
    let query: ConnectQuery
    /// The body, checked; null where the operation takes none.
    let body: JSONValue

    /// The identifier in the path.
    ///
    /// Nothing is known of it but that it isn't empty.
    var id: String { request.parameters.first ?? "" }

    /// The part of a list that is wanted.
    ///
    /// - Throws: `JSONAPIErrors` for a cursor of another list.
    func page() throws -> PageRequest {
        PageRequest(
            limit: query.limit,
            cursor: try query.cursor.map { try PageCursor.decode($0, for: request) })
    }

    /// The resource in the body.
    var data: RequestResource { RequestResource(body["data"] ?? .null) }

    /// The body of an operation that makes or changes a resource.
    var document: RequestDocument {
        RequestDocument(
            data: data, included: (body["included"]?.elements ?? []).map { RequestResource($0) })
    }

    /// The body of an operation that changes a relationship.
    var linkages: [ResourceLink] {
        (body["data"]?.elements ?? []).compactMap { ResourceLink($0) }
    }

    /// Where a document names what isn't there; nil where it is the path that names it.
    ///
    /// What a request makes can't be missing: App Store Connect answers that a relationship
    /// is invalid, and never 404.
    func missingLink(of refusal: ConnectRefusal) -> String? {
        guard request.method == "POST", description === APIDescription.appStoreConnect else {
            return nil
        }
        let relationships = data.relationships.keys.sorted()
        let named = relationships.first { name in
            let ids = data.many(name).map(\.id) + [data.optionalOne(name)].compactMap { $0 }
            return ids.contains { !$0.isEmpty && refusal.problem.contains($0) }
        }
        guard let name = named ?? relationships.first else { return "/data" }
        return "/data/relationships/\(name)"
    }

    // MARK: Addresses

    /// Scheme, host and prefix that the client reaches the API at.
    ///
    /// Behind a proxy that ends TLS, `X-Forwarded-Proto` says so.
    var base: String { request.origin + ConnectRouteTable.prefix }

    /// The address of a request.
    ///
    /// - Parameter cursor: takes the place of the request's own; `.some(nil)` for none.
    func address(of request: HTTPRequest, cursor: String?? = .none) -> String {
        var query = request.query
        if let cursor {
            query.removeAll { $0.name == "cursor" }
            if let cursor { query.append((name: "cursor", value: cursor)) }
        }
        let path = Self.encoded(request.path, besides: "/-._~!$&'()*+,;=:@")
        let address = request.origin + path
        guard !query.isEmpty else { return address }
        return address + "?"
            + query.map { name, value in
                Self.encoded(name, besides: "-._~")
                    + "=" + Self.encoded(value, besides: "-._~,:")
            }.joined(separator: "&")
    }

    /// Percent-encoded, but for ASCII letters, digits and some more.
    private static func encoded(_ text: String, besides more: String) -> String {
        var allowed = CharacterSet()
        allowed.insert(charactersIn: "a"..."z")
        allowed.insert(charactersIn: "A"..."Z")
        allowed.insert(charactersIn: "0"..."9")
        allowed.insert(charactersIn: more)
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
