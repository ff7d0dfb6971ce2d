import Foundation
import StoreCore
import StoreModel
import StoreWire

/// What a client has sent, after it was compared with the description: a resource, and
/// those that are made along with it.
package struct RequestDocument: Sendable {
    /// The resource to make or to change.
    let data: RequestResource
    /// Resources that `data` refers to by identifiers such as `${price1}`.
    let included: [RequestResource]

    /// The resource of `included` that a relationship refers to; nil where it refers to one
    /// that the store has.
    func included(_ link: ResourceLink) -> RequestResource? {
        included.first { $0.type == link.type && $0.id == link.id }
    }
}

/// A reference to a resource: its type and identifier.
package struct ResourceLink: Sendable, Hashable {
    let type: String
    let id: String

    /// Whether it stands for a resource in `included` of the same document.
    var isPlaceholder: Bool { id.hasPrefix(scalars: "${") }

    init(type: String, id: String) {
        self.type = type
        self.id = id
    }

    init?(_ value: JSONValue) {
        guard let type = value["type"]?.text, let id = value["id"]?.text else { return nil }
        self.init(type: type, id: id)
    }
}

/// A resource in a request.
///
/// The description has been checked, so what it requires is there: asking for an attribute
/// that it does not require with a function that throws is a mistake of the operation.
package struct RequestResource: Sendable {
    let type: String
    let id: String?
    let attributes: [String: JSONValue]
    let relationships: [String: JSONValue]

    init(_ value: JSONValue) {
        type = value["type"]?.text ?? ""
        id = value["id"]?.text
        attributes = value["attributes"]?.members ?? [:]
        relationships = (value["relationships"]?.members ?? [:]).compactMapValues { $0["data"] }
    }

    // MARK: Attributes

    /// Whether the client has sent the attribute, be it null.
    func has(_ name: String) -> Bool { attributes[name] != nil }

    /// A text that the description requires.
    func text(_ name: String) throws -> String {
        guard let text = attributes[name]?.text else { throw Self.missing(name) }
        return text
    }

    /// Nil where there is none, or null.
    func optionalText(_ name: String) -> String? { attributes[name]?.text }

    /// What an attribute is to become: nil where the client did not send it, so that it
    /// stays; `.some(nil)` where it sent null.
    func change(_ name: String) -> String?? {
        guard let value = attributes[name] else { return nil }
        return .some(value.text)
    }

    /// Nil where there is none, or null.
    func flag(_ name: String) -> Bool? { attributes[name]?.flag }

    /// Nil where there is none, or null.
    func integer(_ name: String) -> Int? { attributes[name]?.integer }

    /// Midnight (UTC) of a day; nil where there is none, or null.
    func day(_ name: String) -> Date? {
        optionalText(name).flatMap { CalendarDay($0)?.beginning }
    }

    /// A time; nil where there is none, or null.
    func time(_ name: String) -> Date? { optionalText(name).flatMap(Date.init(iso8601:)) }

    /// The texts of a list; nil where there is none, or null.
    func texts(_ name: String) -> [String]? { attributes[name]?.elements?.compactMap(\.text) }

    /// An attribute as a value of the store.
    ///
    /// - Parameter form: says in the refusal what it should have looked like.
    /// - Throws: `ConnectRefusal` where the text is none of the value's.
    func value<Value>(
        _ name: String, _ form: String, _ make: (String) -> Value?
    ) throws -> Value {
        guard let value = make(try text(name)) else {
            throw ConnectRefusal(
                .invalid, rule: "form", field: name, "The value of \(name) is not \(form).",
                help: "Send \(form).")
        }
        return value
    }

    // MARK: Relationships

    /// The identifier in a to-one relationship that the description requires.
    func one(_ name: String) throws -> String {
        guard let id = relationships[name]?["id"]?.text else { throw Self.missing(name) }
        return id
    }

    /// Nil where there is none, or null.
    func optionalOne(_ name: String) -> String? { relationships[name]?["id"]?.text }

    /// What a to-many relationship refers to; none where it is not there.
    func many(_ name: String) -> [ResourceLink] {
        (relationships[name]?.elements ?? []).compactMap { ResourceLink($0) }
    }

    /// Whether the client has sent the relationship.
    func hasRelationship(_ name: String) -> Bool { relationships[name] != nil }

    private static func missing(_ name: String) -> ConnectRefusal {
        ConnectRefusal(
            .invalid, rule: "required", field: name, "The value of \(name) is missing.",
            help: "Send it.")
    }
}
