import StoreHTTP
import StoreWire

/// What our own description says of one operation: everything but path and method.
struct OwnDescription: Sendable {
    /// Parameters of the query with their schemas.
    var parameters: [String: JSONValue] = [:]
    /// The schema of the body; nil for none.
    var body: JSONValue?
    /// The media type of the body.
    var bodyType: String = "application/json"
    /// Successful answers by status, with their schema; nil for an empty one.
    var answers: [Int: JSONValue?] = [:]
    /// The media type of successful answers.
    var answerType: String = "application/json"
    /// Types whose schemas it refers to.
    var types: [ResourceType] = []

    static func one(of kind: ResourceType) -> OwnDescription {
        OwnDescription(
            parameters: fields(of: kind).merging(include(of: kind)) { $1 },
            answers: [200: document(reference(kind))], types: [kind])
    }

    static func list(
        of kind: ResourceType, filters: [String: AttributeForm],
        searches: [String: AttributeForm] = [:], sorts: [String]
    ) -> OwnDescription {
        var parameters = fields(of: kind).merging(include(of: kind)) { $1 }
        parameters["limit"] = ["type": "integer", "minimum": 1, "maximum": 200]
        for (name, form) in filters {
            parameters["filter[\(name)]"] = [
                "type": "array", "items": form.schema(isAnswer: true),
            ]
        }
        for (name, form) in searches {
            parameters["filter[\(name)]"] = form.schema(isAnswer: true)
        }
        if !sorts.isEmpty {
            parameters["sort"] = [
                "type": "array",
                "items": ["type": "string", "enum": .texts(sorts.flatMap { [$0, "-\($0)"] })],
            ]
        }
        return OwnDescription(
            parameters: parameters, answers: [200: page(reference(kind))], types: [kind])
    }

    static func related(
        _ relationship: ResourceRelationship, of kind: ResourceType
    ) -> OwnDescription {
        let any: JSONValue = resource(typed: relationship.type)
        switch relationship.load {
        case .one: return OwnDescription(answers: [200: document(any)])
        case .many:
            return OwnDescription(
                parameters: ["limit": ["type": "integer", "minimum": 1, "maximum": 200]],
                answers: [200: page(any)])
        }
    }

    static func links(
        of relationship: ResourceRelationship, of kind: ResourceType
    ) -> OwnDescription {
        let link = Self.link(to: relationship.type)
        switch relationship.load {
        case .one: return OwnDescription(answers: [200: document(link)])
        case .many:
            return OwnDescription(
                parameters: ["limit": ["type": "integer", "minimum": 1, "maximum": 200]],
                answers: [200: page(link)])
        }
    }

    static func creation(
        of kind: ResourceType, required: [String], optional: [String]
    ) -> OwnDescription {
        OwnDescription(
            body: body(of: kind, required: required, optional: optional, hasID: false),
            answers: [201: document(reference(kind))], types: [kind])
    }

    static func change(of kind: ResourceType, _ names: [String]) -> OwnDescription {
        OwnDescription(
            body: body(of: kind, required: [], optional: names, hasID: true),
            answers: [200: document(reference(kind))], types: [kind])
    }

    static func deletion(of kind: ResourceType) -> OwnDescription {
        OwnDescription(answers: [204: .some(nil)])
    }

    // MARK: Schemas

    /// The schema of a resource of the type, as it is answered.
    static func schema(of kind: ResourceType) -> JSONValue {
        var properties: [String: JSONValue] = [
            "type": ["type": "string", "enum": [.string(kind.name)]],
            "id": ["type": "string"],
            "links": ["type": "object"],
        ]
        if let shape = kind.shape, !shape.attributes.isEmpty {
            properties["attributes"] = [
                "type": "object",
                "properties": .object(shape.attributes.mapValues { $0.schema(isAnswer: true) }),
            ]
        }
        if !kind.relationships.isEmpty {
            var members: [String: JSONValue] = [:]
            for relationship in kind.relationships {
                members[relationship.name] = [
                    "type": "object",
                    "properties": [
                        "data": linkage(of: relationship), "links": ["type": "object"],
                        "meta": ["type": "object"],
                    ],
                ]
            }
            properties["relationships"] = [
                "type": "object", "properties": .object(members),
            ]
        }
        return [
            "type": "object", "properties": .object(properties), "required": ["type", "id"],
        ]
    }

    private static func body(
        of kind: ResourceType, required: [String], optional: [String], hasID: Bool
    ) -> JSONValue {
        var attributes: [String: JSONValue] = [:]
        var relationships: [String: JSONValue] = [:]
        for name in required + optional {
            if let form = kind.shape?.attributes[name] {
                attributes[name] = form.schema(isAnswer: false)
            } else if let relationship = kind.relationship(name) {
                relationships[name] = [
                    "type": "object", "properties": ["data": linkage(of: relationship)],
                    "required": ["data"],
                ]
            } else {
                preconditionFailure("\(kind.name) has no \(name)")
            }
        }
        var properties: [String: JSONValue] = [
            "type": ["type": "string", "enum": [.string(kind.name)]]
        ]
        var parts: [JSONValue] = ["type"]
        if hasID {
            properties["id"] = ["type": "string"]
            parts.append("id")
        }
        for (part, members) in [("attributes", attributes), ("relationships", relationships)]
        where !members.isEmpty {
            let needed = required.filter { members[$0] != nil }
            var schema: [String: JSONValue] = [
                "type": "object", "properties": .object(members),
            ]
            if !needed.isEmpty {
                schema["required"] = .texts(needed)
                parts.append(.string(part))
            }
            properties[part] = .object(schema)
        }
        let data: JSONValue = [
            "type": "object", "properties": .object(properties), "required": .array(parts),
        ]
        return ["type": "object", "properties": ["data": data], "required": ["data"]]
    }

    private static func reference(_ kind: ResourceType) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(kind.name)")]
    }

    private static func linkage(of relationship: ResourceRelationship) -> JSONValue {
        switch relationship.load {
        case .one where relationship.isOptional:
            .object(
                (link(to: relationship.type).members ?? [:]).merging(["nullable": true]) { $1 })
        case .one: link(to: relationship.type)
        case .many: ["type": "array", "items": link(to: relationship.type)]
        }
    }

    private static func link(to type: String?) -> JSONValue {
        resource(typed: type)
    }

    private static func resource(typed type: String?) -> JSONValue {
        var schema: [String: JSONValue] = ["type": "string"]
        if let type { schema["enum"] = [.string(type)] }
        return [
            "type": "object",
            "properties": ["type": .object(schema), "id": ["type": "string"]],
            "required": ["type", "id"],
        ]
    }

    private static func document(_ data: JSONValue) -> JSONValue {
        [
            "type": "object",
            "properties": [
                "data": data, "links": ["type": "object"],
                "included": ["type": "array", "items": ["type": "object"]],
            ],
            "required": ["data", "links"],
        ]
    }

    private static func page(_ element: JSONValue) -> JSONValue {
        [
            "type": "object",
            "properties": [
                "data": ["type": "array", "items": element],
                "links": [
                    "type": "object",
                    "properties": [
                        "self": ["type": "string"], "next": ["type": "string"],
                    ],
                    "required": ["self"],
                ],
                "meta": ["type": "object"],
                "included": ["type": "array", "items": ["type": "object"]],
            ],
            "required": ["data", "links", "meta"],
        ]
    }

    private static func fields(of kind: ResourceType) -> [String: JSONValue] {
        let names =
            (kind.shape?.attributes.keys.sorted() ?? []) + kind.relationships.map(\.name)
        guard !names.isEmpty else { return [:] }
        return [
            "fields[\(kind.name)]": [
                "type": "array", "items": ["type": "string", "enum": .texts(names)],
            ]
        ]
    }

    private static func include(of kind: ResourceType) -> [String: JSONValue] {
        guard !kind.relationships.isEmpty else { return [:] }
        let names = kind.relationships.map(\.name)
        var parameters: [String: JSONValue] = [
            "include": [
                "type": "array", "items": ["type": "string", "enum": .texts(names)],
            ]
        ]
        for relationship in kind.relationships {
            if case .many = relationship.load {
                parameters["limit[\(relationship.name)]"] = [
                    "type": "integer", "minimum": 1, "maximum": 50,
                ]
            }
        }
        return parameters
    }
}
