import Foundation
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// An answer of Connect's API.
struct ConnectReply: Sendable {
    let status: Int
    let json: JSONValue

    var data: JSONValue? { json["data"] }
    var id: String { json["data"]?["id"]?.text ?? "" }

    func attribute(_ name: String) -> JSONValue? { json["data"]?["attributes"]?[name] }

    /// The identifiers of a list.
    var ids: [String] { (json["data"]?.elements ?? []).compactMap { $0["id"]?.text } }

    /// `409 ENTITY_ERROR.ATTRIBUTE.INVALID /data/attributes/name textLength` of each error.
    var errors: [String] {
        (json["errors"]?.elements ?? []).map { error in
            [
                error["status"], error["code"],
                error["source"]?["pointer"] ?? error["source"]?["parameter"],
                error["meta"]?["rule"],
            ].compactMap { $0?.text }.joined(separator: " ")
        }
    }
}

extension ConnectClient {
    /// Sends a document below `/connect`, and reads the one in the answer.
    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil,
        query: [(String, String)] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ConnectReply {
        let response = try await send(
            method, "/connect" + path, body?.encoded() ?? Data(),
            headers: body == nil
                ? ["Host": "store.example"]
                : ["Host": "store.example", "Content-Type": "application/json"],
            query: query.map { (name: $0.0, value: $0.1) })
        #expect(response.status < 500, sourceLocation: sourceLocation)
        guard response.status != 204 else {
            #expect(response.data.isEmpty, sourceLocation: sourceLocation)
            return ConnectReply(status: 204, json: .null)
        }
        return ConnectReply(
            status: response.status, json: try JSONValue(reading: response.data))
    }

    func get(_ path: String, query: [(String, String)] = []) async throws -> ConnectReply {
        try await call("GET", path, query: query)
    }

    /// The document of a resource to be made or changed.
    ///
    /// - Parameters:
    ///   - one: relationships that refer to one resource, as type and identifier.
    static func document(
        _ type: String, id: String? = nil, _ attributes: [String: JSONValue] = [:],
        one: [String: (String, String)] = [:], many: [String: [(String, String)]] = [:],
        included: [JSONValue] = []
    ) -> JSONValue {
        func link(_ target: (String, String)) -> JSONValue {
            ["type": .string(target.0), "id": .string(target.1)]
        }
        var data: [String: JSONValue] = ["type": .string(type)]
        data["id"] = id.map { .string($0) }
        if !attributes.isEmpty { data["attributes"] = .object(attributes) }
        let single: [String: JSONValue] = one.mapValues { ["data": link($0)] }
        let several: [String: JSONValue] = many.mapValues { ["data": .array($0.map(link))] }
        let relationships: [String: JSONValue] = single.merging(several) { $1 }
        if !relationships.isEmpty { data["relationships"] = .object(relationships) }
        var document: [String: JSONValue] = ["data": .object(data)]
        if !included.isEmpty { document["included"] = .array(included) }
        return .object(document)
    }
}
