import Foundation
import StoreModel
import StoreWire

/// Compares a body with the schema of its operation, and collects all that is wrong.
struct SchemaCheck {
    private let description: APIDescription
    private(set) var errors: [JSONAPIError] = []
    /// More than these are not told: a body can have thousands.
    private static let limit = 50

    init(_ description: APIDescription) {
        self.description = description
    }

    /// - Parameter pointer: the value's place, as a JSON pointer.
    mutating func check(_ value: JSONValue, by schema: JSONValue, at pointer: String = "") {
        guard errors.count < Self.limit else { return }
        // What stands beside a reference counts as well.
        if value == .null, schema["nullable"]?.flag == true { return }
        let schema = description.resolved(schema)
        if let forms = schema["oneOf"]?.elements {
            return checkOne(of: forms, value, at: pointer)
        }
        if value == .null {
            if schema["nullable"]?.flag != true {
                add(.type, pointer, "It must not be null.")
            }
            return
        }
        switch schema["type"]?.text {
        case "object": checkObject(value, schema, pointer)
        case "array": checkArray(value, schema, pointer)
        case "string": checkText(value, schema, pointer)
        case "integer":
            guard let number = value.integer else {
                return add(.type, pointer, "It must be a whole number.")
            }
            checkRange(Double(number), schema, pointer)
        case "number":
            guard case .number(let number) = value else {
                return add(.type, pointer, "It must be a number.")
            }
            checkRange(number, schema, pointer)
        case "boolean":
            if value.flag == nil { add(.type, pointer, "It must be true or false.") }
        default: break
        }
    }

    private mutating func checkObject(
        _ value: JSONValue, _ schema: JSONValue, _ pointer: String
    ) {
        guard let members = value.members else {
            return add(.type, pointer, "It must be an object.")
        }
        let properties = schema["properties"]?.members ?? [:]
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
        for name in properties.keys.sorted() {
            let place = "\(pointer)/\(name)"
            if let member = members[name] {
                check(member, by: properties[name] ?? .null, at: place)
            } else if required.contains(name) {
                // What is missing of these is named one by one.
                if name == "attributes" || name == "relationships" {
                    let before = errors.count
                    check(.object([:]), by: properties[name] ?? .null, at: place)
                    guard errors.count == before else { continue }
                }
                add(.required, place, "It must be there.")
            }
        }
        guard schema["additionalProperties"] == nil, !properties.isEmpty else { return }
        let known = properties.keys.sorted().joined(separator: ", ")
        for name in members.keys.sorted() where properties[name] == nil {
            // JSON:API allows them anywhere.
            guard !["meta", "links", "jsonapi"].contains(name) else { continue }
            add(
                .unknown, "\(pointer)/\(Self.escaped(name))",
                "There is no '\(name.prefix(100))' here; there is: \(known).")
        }
    }

    private mutating func checkArray(
        _ value: JSONValue, _ schema: JSONValue, _ pointer: String
    ) {
        guard let elements = value.elements else {
            return add(.type, pointer, "It must be an array.")
        }
        if let least = schema["minItems"]?.integer, elements.count < least {
            add(.invalid, pointer, "It must have \(least) elements at least.")
        }
        if let most = schema["maxItems"]?.integer, elements.count > most {
            return add(.invalid, pointer, "It must have \(most) elements at most.")
        }
        for (index, element) in elements.enumerated() {
            check(element, by: schema["items"] ?? .null, at: "\(pointer)/\(index)")
        }
    }

    private mutating func checkText(
        _ value: JSONValue, _ schema: JSONValue, _ pointer: String
    ) {
        guard let text = value.text else { return add(.type, pointer, "It must be a text.") }
        guard !text.unicodeScalars.contains("\0") else {
            return add(.invalid, pointer, "It has a character that no text may have.")
        }
        if let choices = schema["enum"]?.elements?.compactMap(\.text), !choices.contains(text) {
            return add(
                .invalid, pointer, "It must be one of: \(choices.joined(separator: ", ")).")
        }
        let count = text.unicodeScalars.count
        if let least = schema["minLength"]?.integer, count < least {
            add(.invalid, pointer, "It must have \(least) characters at least.")
        }
        if let most = schema["maxLength"]?.integer, count > most {
            add(.invalid, pointer, "It must have \(most) characters at most.")
        }
        if let format = schema["format"]?.text.flatMap(TextFormat.init), !format.accepts(text) {
            add(.invalid, pointer, "It must be \(format.title).")
        }
    }

    private mutating func checkRange(
        _ number: Double, _ schema: JSONValue, _ pointer: String
    ) {
        if case .number(let least)? = schema["minimum"], number < least {
            add(.invalid, pointer, "It must be \(JSONValue.number(least).shown) at least.")
        }
        if case .number(let most)? = schema["maximum"], number > most {
            add(.invalid, pointer, "It must be \(JSONValue.number(most).shown) at most.")
        }
    }

    /// Resources of several types: the type says which form counts.
    private mutating func checkOne(
        of forms: [JSONValue], _ value: JSONValue, at pointer: String
    ) {
        var types: [String] = []
        for form in forms.map(description.resolved) {
            let choices = form["properties"]?["type"]?["enum"]?.elements ?? []
            if let type = value["type"], choices.contains(type) {
                return check(value, by: form, at: pointer)
            }
            types += choices.compactMap(\.text)
        }
        add(
            .invalid, "\(pointer)/type",
            "It must be one of: \(types.sorted().joined(separator: ", ")).")
    }

    private static func escaped(_ name: String) -> String {
        name.prefix(100).replacing(scalar: "~", with: "~0")
            .replacing(scalar: "/", with: "~1")
    }

    private mutating func add(_ problem: EntityProblem, _ pointer: String, _ detail: String) {
        guard errors.count < Self.limit else { return }
        errors.append(.entity(problem, at: pointer, detail))
    }
}

extension JSONValue {
    fileprivate var shown: String { String(decoding: encoded(), as: UTF8.self) }
}

/// What can be wrong with a part of a document.
enum EntityProblem: String {
    case required = "REQUIRED"
    case type = "TYPE"
    case invalid = "INVALID"
    case unknown = "UNKNOWN"
    case duplicate = "INVALID.DUPLICATE"

    var title: String {
        switch self {
        case .required: "The provided entity is missing a required part"
        case .type: "A part of the provided entity has a value of the wrong type"
        case .invalid: "A part of the provided entity has an invalid value"
        case .unknown: "The provided entity has an unknown part"
        case .duplicate: "The provided entity has a value that is in use"
        }
    }
}

extension JSONAPIError {
    /// - Parameter pointer: where in the body it is; says what it is a part of.
    static func entity(
        _ problem: EntityProblem, at pointer: String, _ detail: String, meta: Meta? = nil
    ) -> JSONAPIError {
        let parts = pointer.split(scalar: "/")
        let part: String
        if parts.contains("attributes") {
            part = ".ATTRIBUTE.\(problem.rawValue)"
        } else if parts.contains("relationships") {
            part = ".RELATIONSHIP.\(problem.rawValue)"
        } else if parts.last == "type" {
            part = ".TYPE"
        } else if parts.last == "id" {
            part = ".ID"
        } else {
            part = ".\(problem.rawValue)"
        }
        let shown = pointer.isEmpty ? "the document" : pointer
        return JSONAPIError(
            status: 409, code: "ENTITY_ERROR\(part)", title: problem.title,
            detail: "\(detail) (\(shown))", source: Source(pointer: pointer), meta: meta)
    }
}
