import Foundation
import StoreHTTP
import StoreModel
import StoreWire

/// The body of a request, read and compared with the description of its operation.
enum RequestBodyParser {
    /// As large as a document may be, bytes. Files travel elsewhere.
    static let bodyLimit = 4 << 20

    /// - Parameter id: the identifier in the path, which the document must have.
    /// - Throws: `JSONAPIErrors` with everything that is wrong.
    static func body(
        of request: HTTPRequest, by schema: JSONValue, in description: APIDescription, id: String?
    ) throws -> JSONValue {
        try checkType(of: request)
        guard request.body.count <= bodyLimit else {
            throw JSONAPIErrors.one(
                413, "ENTITY_TOO_LARGE", "The request entity is too large",
                "A document may have \(bodyLimit) bytes.")
        }
        let value: JSONValue
        do {
            value = try JSONValue(reading: request.body)
        } catch let error as WireFormatError {
            throw JSONAPIErrors.one(
                400, "ENTITY_INVALID.JSON", "The request entity is not JSON",
                "The body is not JSON: \(error.description).")
        }
        guard value.members != nil else {
            throw JSONAPIErrors.malformed("The body must be an object with the member data.")
        }
        var check = SchemaCheck(description)
        check.check(value, by: schema)
        var errors = check.errors
        if let id, let sent = value["data"]?["id"]?.text, sent != id {
            errors.append(
                .entity(.invalid, at: "/data/id", "It must be the identifier in the path."))
        }
        errors += placeholderErrors(in: value)
        guard errors.isEmpty else { throw JSONAPIErrors(errors) }
        return value
    }

    private static func checkType(of request: HTTPRequest) throws {
        let type = (request.headers["Content-Type"] ?? "").split(scalar: ";").first ?? ""
        let name = type.trimmingCharacters(in: .whitespaces).lowercased()
        guard ["application/json", "application/vnd.api+json"].contains(name) else {
            throw JSONAPIErrors.one(
                415, "UNSUPPORTED_MEDIA_TYPE", "The media type is not supported",
                "The body must be application/json, and Content-Type must say so.")
        }
    }

    /// Resources that are made along with another need identifiers that only this document
    /// knows, each once; and what refers to one must find it.
    private static func placeholderErrors(in document: JSONValue) -> [JSONAPIError] {
        let included = document["included"]?.elements ?? []
        var known: Set<ResourceLink> = []
        var errors: [JSONAPIError] = []
        for (index, resource) in included.enumerated() {
            guard let type = resource["type"]?.text else { continue }
            guard let id = resource["id"]?.text, id.hasPrefix(scalars: "${"),
                id.hasSuffix(scalars: "}")
            else {
                errors.append(
                    .entity(
                        .invalid, at: "/included/\(index)/id",
                        "It must be a name of your choice in ${}."))
                continue
            }
            if !known.insert(ResourceLink(type: type, id: id)).inserted {
                errors.append(
                    .entity(.invalid, at: "/included/\(index)/id", "It is there twice."))
            }
        }
        let holders =
            [(document["data"], "/data")]
            + included.enumerated().map { ($1, "/included/\($0)") }
        for (holder, place) in holders {
            for (name, relationship) in (holder?["relationships"]?.members ?? [:]).sorted(
                by: { $0.key < $1.key })
            {
                let data = relationship["data"]
                for link in (data?.elements ?? [data ?? .null]).compactMap({ ResourceLink($0) })
                where link.isPlaceholder && !known.contains(link) {
                    errors.append(
                        .entity(
                            .invalid, at: "\(place)/relationships/\(name)",
                            "Nothing in included has the identifier \(link.id.prefix(100))."))
                }
            }
        }
        return errors
    }
}
