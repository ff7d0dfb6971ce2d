import Foundation
import StoreWire

/// A change of one place in a JSON document.
struct FieldLie: Sendable, CustomStringConvertible {
    enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    enum Change: Sendable, Hashable {
        case missing
        case doubled
        /// JSON text, or what is to be taken for some.
        case value(String)
    }

    /// Where; empty for the whole document.
    let path: [Step]
    let change: Change
    /// Whether the value is of another type than the honest one.
    let isOfAnotherType: Bool

    /// The name of the place, without the numbers of elements.
    var place: String {
        path.compactMap { if case .key(let key) = $0 { key } else { nil } }.joined(separator: ".")
    }

    /// Whether whoever knows the form of the document sees that it is a lie.
    ///
    /// - Parameter optional: places that may be absent. A list may have any number of elements.
    func isPlain(whereOptionalAre optional: Set<String>) -> Bool {
        switch change {
        case .missing:
            if case .index? = path.last { false } else { !optional.contains(place) }
        case .value("null"): !optional.contains(place)
        case .value: isOfAnotherType
        case .doubled: false
        }
    }

    var description: String {
        switch change {
        case .missing: "\(place) missing"
        case .doubled: "\(place) doubled"
        case .value(let text): "\(place) = \(text.prefix(40))"
        }
    }

    /// Each place of a document with each change. Of an array the first two elements stand for all.
    static func all(about json: Data) throws -> [FieldLie] {
        let document = try WireCoding.decode(JSONValue.self, from: json)
        return places(of: document, at: []).flatMap { path, value in
            let changes: [Change] = [.missing, .doubled] + values.map { .value($0.text) }
            let others = [false, false] + values.map { !$0.isLike(value) }
            return zip(changes, others).map {
                FieldLie(path: path, change: $0, isOfAnotherType: $1)
            }
        }
    }

    /// The document with the change; as it was where it has no such place.
    func applied(to json: Data) -> Data {
        guard let document = try? WireCoding.decode(JSONValue.self, from: json) else { return json }
        var original: JSONValue?
        let marked = Self.marked(document, path[...], removes: change == .missing, &original)
        guard let original else { return json }
        guard let marked else { return Data() }
        let honest = String(decoding: original.encoded(), as: UTF8.self)
        let text: String =
            switch change {
            case .missing: ""
            case .value(let text): text
            case .doubled:
                if case .key? = path.last { "\(honest),\(Self.mark):null" } else { honest + honest }
            }
        var changed = String(decoding: marked.encoded(), as: UTF8.self)
        changed = changed.replacingOccurrences(of: Self.mark, with: text)
        if case .doubled = change, case .key(let key)? = path.last {
            changed = changed.replacingOccurrences(of: Self.mark, with: "\"\(key)\"")
        }
        return Data(changed.utf8)
    }

    // MARK: Parts

    /// A text that no answer has.
    private static let mark = "\"-a-lie-\""

    private static func places(
        of value: JSONValue, at path: [Step]
    ) -> [(path: [Step], value: JSONValue)] {
        var inner: [(Step, JSONValue)] = []
        switch value {
        case .object(let members):
            inner = members.sorted { $0.key < $1.key }.map { (.key($0.key), $0.value) }
        case .array(let elements):
            inner = elements.prefix(2).enumerated().map { (.index($0.offset), $0.element) }
        default: break
        }
        return [(path, value)] + inner.flatMap { places(of: $0.1, at: path + [$0.0]) }
    }

    /// A document with the mark at a place, or without it.
    private static func marked(
        _ value: JSONValue, _ path: ArraySlice<Step>, removes: Bool, _ original: inout JSONValue?
    ) -> JSONValue? {
        guard let step = path.first else {
            original = value
            return removes ? nil : .string("-a-lie-")
        }
        switch (step, value) {
        case (.key(let key), .object(var members)):
            guard let member = members[key] else { return value }
            members[key] = marked(member, path.dropFirst(), removes: removes, &original)
            return .object(members)
        case (.index(let index), .array(var elements)):
            guard elements.indices.contains(index) else { return value }
            let element = marked(elements[index], path.dropFirst(), removes: removes, &original)
            elements.replaceSubrange(index...index, with: element.map { [$0] } ?? [])
            return .array(elements)
        default: return value
        }
    }

    private enum Kind { case null, flag, number, text, list, object, none }

    private struct Value: Sendable {
        let text: String
        let kind: Kind

        func isLike(_ value: JSONValue) -> Bool {
            switch value {
            case .null: kind == .null
            case .bool: kind == .flag
            case .number: kind == .number
            case .string: kind == .text
            case .array: kind == .list
            case .object: kind == .object
            }
        }
    }

    private static let values: [Value] = [
        Value(text: "null", kind: .null), Value(text: "true", kind: .flag),
        Value(text: "-1", kind: .number), Value(text: "9223372036854775807", kind: .number),
        Value(text: "-9223372036854775808", kind: .number), Value(text: "1e308", kind: .number),
        Value(text: "0.5", kind: .number), Value(text: "\"\"", kind: .text),
        Value(text: #""\u0000\u001b[2J\u202e\u0301é""#, kind: .text),
        Value(text: "\"\(String(repeating: "w", count: 50_000))\"", kind: .text),
        Value(text: #""\ud800""#, kind: .text), Value(text: "[]", kind: .list),
        Value(text: "{}", kind: .object),
        Value(text: String(repeating: "[", count: 20_000), kind: .none),
    ]
}
