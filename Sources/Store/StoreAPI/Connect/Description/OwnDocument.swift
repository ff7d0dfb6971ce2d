import StoreHTTP
import StoreModel
import StoreWire

extension APIDescription {
    /// The description of what App Store Connect lacks, made from the operations themselves.
    package static let openStore = APIDescription(openStoreDocument())

    private static func openStoreDocument() -> JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        var schemas: [String: JSONValue] = ["Errors": errors]
        for operation in ConnectRouteTable.operations {
            guard let own = operation.own else { continue }
            paths[operation.pattern, default: pathParameters(of: operation.pattern)][
                operation.method.rawValue.lowercased()] = item(own, of: operation)
            for kind in own.types { schemas[kind.name] = OwnDescription.schema(of: kind) }
        }
        return [
            "openapi": "3.0.1",
            "info": ["title": "OpenStore Connect", "version": "1"],
            "servers": [["url": .string(ConnectRouteTable.prefix)]],
            "security": [["bearer": []]],
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": [
                "securitySchemes": [
                    "bearer": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"]
                ],
                "schemas": .object(schemas),
            ],
        ]
    }

    private static func pathParameters(of pattern: String) -> [String: JSONValue] {
        let names = pattern.split(scalar: "/").filter { $0.hasPrefix(scalars: "{") }
        guard !names.isEmpty else { return [:] }
        return [
            "parameters": .array(
                names.map { name in
                    [
                        "name": .string(String(name.dropFirst().dropLast())), "in": "path",
                        "required": true, "schema": ["type": "string"],
                    ]
                })
        ]
    }

    private static func item(
        _ own: OwnDescription, of operation: ConnectOperation
    ) -> JSONValue {
        let name = operation.pattern.split(scalar: "/").dropFirst(2).map { part in
            part.hasPrefix(scalars: "{") ? "by_\(part.dropFirst().dropLast())" : String(part)
        }
        var item: [String: JSONValue] = [
            "operationId": .string(
                ([operation.method.rawValue.lowercased()] + name).joined(separator: "_"))
        ]
        if !own.parameters.isEmpty {
            item["parameters"] = .array(
                own.parameters.sorted { $0.key < $1.key }.map { name, schema in
                    [
                        "name": .string(name), "in": "query", "schema": schema,
                        "style": "form", "explode": false,
                    ]
                })
        }
        if let body = own.body {
            item["requestBody"] = [
                "required": true, "content": [own.bodyType: ["schema": body]],
            ]
        }
        var responses: [String: JSONValue] = [:]
        for (status, schema) in own.answers {
            var response: [String: JSONValue] = ["description": ""]
            if let schema { response["content"] = [own.answerType: ["schema": schema]] }
            responses[String(status)] = .object(response)
        }
        for status in ["400", "401", "403", "404", "409", "413", "415", "422", "429"] {
            responses[status] = [
                "description": "",
                "content": [
                    "application/json": ["schema": ["$ref": "#/components/schemas/Errors"]]
                ],
            ]
        }
        item["responses"] = .object(responses)
        return .object(item)
    }

    private static let errors: JSONValue = [
        "type": "object",
        "properties": [
            "errors": [
                "type": "array",
                "items": [
                    "type": "object",
                    "properties": [
                        "status": ["type": "string"], "code": ["type": "string"],
                        "title": ["type": "string"], "detail": ["type": "string"],
                        "source": ["type": "object"], "meta": ["type": "object"],
                    ],
                    "required": ["status", "code", "title"],
                ],
            ]
        ],
        "required": ["errors"],
    ]
}
