import Foundation
import StoreModel
import StoreWire

/// Writes resources of the API: a table for people, JSON for programs, or identifiers only.
struct ConnectRenderer: Sendable {
    /// A column of a table, or a line of one resource.
    struct Column: Sendable {
        let title: String
        let value: @Sendable (JSONValue) -> String

        init(_ title: String, value: @escaping @Sendable (JSONValue) -> String) {
            self.title = title
            self.value = value
        }

        static let id = Column("ID") { $0.id }

        static func attribute(_ title: String, _ name: String) -> Column {
            Column(title) { $0.attribute(name) }
        }

        /// The identifier that a to-one relationship refers to.
        static func link(_ title: String, _ name: String) -> Column {
            Column(title) { $0["relationships"]?[name]?["data"]?["id"]?.text ?? "" }
        }
    }

    private enum Form {
        case table
        case json
        case quiet
    }

    private let form: Form
    private let output: Output

    init(_ arguments: ParsedArguments, _ output: Output) {
        form = arguments.has("json") ? .json : arguments.has("quiet") ? .quiet : .table
        self.output = output
    }

    /// Whether people read it, who like sentences.
    var isForPeople: Bool { form == .table }

    /// A list.
    ///
    /// - Parameter empty: what people are told where there is nothing.
    func list(_ resources: [JSONValue], _ columns: [Column], empty: String) {
        switch form {
        case .json: json(.array(resources.map(Self.flat)))
        case .quiet: for resource in resources { output.line(resource.id) }
        case .table:
            guard !resources.isEmpty else { return output.line(empty) }
            var table = Table(columns.map(\.title))
            table.rows = resources.map { resource in
                columns.map { Self.oneLine($0.value(resource)) }
            }
            output.write(table.text(on: output))
        }
    }

    /// One resource, a line for each column that has a value.
    ///
    /// - Parameter quiet: what `--quiet` writes; its identifier unless given.
    func one(_ resource: JSONValue, _ columns: [Column], quiet: String? = nil) {
        switch form {
        case .json: json(Self.flat(resource))
        case .quiet: output.line(quiet ?? resource.id)
        case .table:
            let rows = columns.map { ($0.title, $0.value(resource)) }.filter { !$0.1.isEmpty }
            let width = rows.map(\.0.count).max() ?? 0
            for (title, value) in rows {
                let name = title.padding(toLength: width, withPad: " ", startingAt: 0)
                output.line("\(output.styled(name, .bold))  \(value)")
            }
        }
    }

    /// What was done to a resource: a sentence for people.
    ///
    /// - Parameter quiet: as in `one`.
    func done(_ resource: JSONValue, _ sentence: String, quiet: String? = nil) {
        switch form {
        case .json: json(Self.flat(resource))
        case .quiet: output.line(quiet ?? resource.id)
        case .table: output.line(sentence)
        }
    }

    /// What was done where no resource is left.
    func done(id: String, _ sentence: String) {
        switch form {
        case .json: json(["id": .string(id)])
        case .quiet: output.line(id)
        case .table: output.line(sentence)
        }
    }

    /// A resource as one object: identifier, type, attributes, and the identifiers that
    /// relationships refer to.
    static func flat(_ resource: JSONValue) -> JSONValue {
        var members = resource["attributes"]?.members ?? [:]
        for (name, relationship) in resource["relationships"]?.members ?? [:] {
            guard let data = relationship["data"], members[name] == nil else { continue }
            members[name] = data.elements.map { .array($0.map { .string($0.id) }) } ?? data["id"]
        }
        members["id"] = resource["id"]
        members["type"] = resource["type"]
        return .object(members)
    }

    private func json(_ value: JSONValue) {
        output.json(text: value.pretty())
    }

    private static func oneLine(_ text: String) -> String {
        text.replacing(scalar: "\n", with: " ")
    }
}

extension JSONValue {
    /// JSON as people can read it too, with sorted names.
    func pretty(_ indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + $0.pretty(inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { $0.key < $1.key }.map { name, value in
                let key = String(decoding: JSONValue.string(name).encoded(), as: UTF8.self)
                return "\(inner)\(key) : \(value.pretty(inner))"
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        default: return String(decoding: encoded(), as: UTF8.self)
        }
    }
}
