import Foundation
import StoreAPI
import StoreWire

/// Bodies that a description allows.
struct SampleBodies {
    let known: [String: String]

    /// Values that the rules take, where the description would take others too.
    private static let values: [String: any Sendable] = [
        "email": "new@example.com", "locale": "fr-FR", "primaryLocale": "en-US",
        "territory": "USA", "role": "DEVELOPER", "roles": ["DEVELOPER"],
        "certificates": ["data": [String]()], "devices": ["data": [String]()],
        "familySharable": false, "bundleId": "com.example.shop",
        "productId": "com.example.shop.chapter", "secretAnswer": "a secret", "step": "offer",
        "sha256": String(repeating: "f", count: 64), "iban": "DE02120300000000202051",
    ]

    /// The body of an operation; empty where it takes none.
    func body(of operation: ConnectOperation) throws -> Data {
        for description in [APIDescription.appStoreConnect, .openStore] {
            let described = description.document["paths"]?[operation.pattern]?[
                operation.method.rawValue.lowercased()]
            guard
                let schema = described?["requestBody"]?["content"]?["application/json"]?["schema"]
            else { continue }
            let value = sample(schema, in: description.document, depth: 0)
            return try JSONSerialization.data(
                withJSONObject: value, options: [.fragmentsAllowed])
        }
        return Data()
    }

    private func resolved(_ schema: JSONValue, in document: JSONValue) -> JSONValue {
        guard let name = schema["$ref"]?.text?.split(separator: "/").last else { return schema }
        return document["components"]?["schemas"]?[String(name)] ?? .null
    }

    private func sample(_ schema: JSONValue, in document: JSONValue, depth: Int) -> Any {
        let schema = resolved(schema, in: document)
        if let first = schema["enum"]?.elements?.first?.text { return first }
        switch schema["type"]?.text {
        case "object":
            let members = schema["properties"]?.members ?? [:]
            var result: [String: Any] = [:]
            let type = members["type"].map { sample($0, in: document, depth: depth) } as? String
            // Everything that may be sent, so that the rules have something to refuse; but
            // the prefix of the team is the store's alone.
            for (name, member) in members
            where depth < 8 && !["included", "seedId"].contains(name) {
                if name == "id", let type {
                    result[name] = known[type] ?? "1"
                } else {
                    let value: Any? = Self.values[name]
                    result[name] = value ?? sample(member, in: document, depth: depth + 1)
                }
            }
            return result
        case "array":
            return schema["items"].map { [sample($0, in: document, depth: depth + 1)] } ?? []
        case "integer", "number": return schema["minimum"]?.integer ?? 1
        case "boolean": return true
        default:
            return switch schema["format"]?.text {
            case "date": "2030-01-01"
            case "date-time": "2030-01-01T00:00:00Z"
            case "email": "someone@example.com"
            case "uri": "https://example.com/"
            default: String(repeating: "a", count: max(3, schema["minLength"]?.integer ?? 3))
            }
        }
    }
}
