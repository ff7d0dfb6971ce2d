import Foundation
import StoreHTTP
import StoreWire
import Testing

extension ConnectClient {
    /// Sends a document, and reads the answer.
    ///
    /// - Parameters:
    ///   - path: below `/connect`, with a query if there is one.
    ///   - status: what the answer must have.
    @discardableResult
    func call(
        _ method: String, _ path: String, _ data: JSONValue? = nil, expecting status: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let parts = try #require(URLComponents(string: "/connect" + path))
        let body = try data.map { data in
            try JSONEncoder().encode(JSONText(["data": data]))
        }
        let response = try await send(
            method, parts.path, body ?? Data(),
            headers: ["Host": "store.example", "Content-Type": "application/json"],
            query: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        let text = String(decoding: response.data, as: UTF8.self)
        #expect(
            response.status == status, "\(method) \(path): \(text)", sourceLocation: sourceLocation)
        return response.data.isEmpty ? .null : try JSONValue(reading: response.data)
    }

    /// Asserts that a request is refused by a rule of the store.
    func refused(
        _ rule: String, _ status: Int, _ method: String, _ path: String, _ data: JSONValue? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await call(
            method, path, data, expecting: status, sourceLocation: sourceLocation)
        let rules = (answer["errors"]?.elements ?? []).map { $0["meta"]?["rule"]?.text }
        #expect(rules == [rule], sourceLocation: sourceLocation)
    }
}

/// Writes a value as JSON.
private struct JSONText: Encodable {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements.map { JSONText($0) })
        case .object(let members): try container.encode(members.mapValues { JSONText($0) })
        }
    }
}

extension JSONValue {
    /// The text at a place, for example `data.attributes.name`.
    func at(_ path: String) -> String? { value(path)?.text }

    func value(_ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(self) { (value: JSONValue?, name) in
            Int(name).flatMap { index in
                value?.elements.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            } ?? value?[String(name)]
        }
    }

    /// A resource to be sent.
    static func resource(
        _ type: String, id: String? = nil, _ attributes: [String: JSONValue] = [:],
        to relationships: [String: (type: String, id: String)] = [:],
        empty: [String] = []
    ) -> JSONValue {
        var members: [String: JSONValue] = ["type": .string(type)]
        if let id { members["id"] = .string(id) }
        if !attributes.isEmpty { members["attributes"] = .object(attributes) }
        var links: [String: JSONValue] = relationships.mapValues {
            ["data": ["type": .string($0.type), "id": .string($0.id)]]
        }
        for name in empty { links[name] = ["data": []] }
        if !links.isEmpty { members["relationships"] = .object(links) }
        return .object(members)
    }
}
