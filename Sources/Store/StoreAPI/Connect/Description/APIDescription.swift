import CStoreDescriptions
import Foundation
import StoreHTTP
import StoreModel
import StoreWire
import Synchronization

/// A description of an interface in the form of OpenAPI 3.0: what requests are checked by.
package final class APIDescription: Sendable {
    /// What the store serves of App Store Connect's API. Read when it is first needed.
    package static let appStoreConnect: APIDescription = {
        var count = 0
        let bytes = cstore_descriptions_app_store_connect(&count)
        let data = bytes.map { Data(bytes: $0, count: count) } ?? Data()
        do {
            return APIDescription(try JSONValue(reading: data, depth: 64))
        } catch {
            // The file is a part of the program; a test reads it.
            preconditionFailure("the embedded description: \(error)")
        }
    }()

    package let document: JSONValue
    private let paths: [String: JSONValue]
    private let schemas: [String: JSONValue]
    private struct Key: Hashable {
        let method: HTTPMethod
        let path: String
    }
    private let operations = Mutex<[Key: DescribedOperation]>([:])

    package init(_ document: JSONValue) {
        self.document = document
        self.paths = document["paths"]?.members ?? [:]
        self.schemas = document["components"]?["schemas"]?.members ?? [:]
    }

    /// Every method with its path, for example `GET` and `/v1/territories`.
    package var routes: [(method: HTTPMethod, path: String)] {
        paths.flatMap { path, item in
            (item.members ?? [:]).keys.compactMap { name in
                HTTPMethod(rawValue: name.uppercased()).map { (method: $0, path: path) }
            }
        }
    }

    func has(_ method: HTTPMethod, _ path: String) -> Bool {
        paths[path]?[method.rawValue.lowercased()] != nil
    }

    /// What is said of an operation; nil where there is none.
    func operation(_ method: HTTPMethod, _ path: String) -> DescribedOperation? {
        let key = Key(method: method, path: path)
        if let known = operations.withLock({ $0[key] }) { return known }
        guard let value = paths[path]?[method.rawValue.lowercased()] else { return nil }
        let operation = DescribedOperation(value, in: self)
        operations.withLock { $0[key] = operation }
        return operation
    }

    /// The schema itself, or the one that it refers to.
    func resolved(_ schema: JSONValue) -> JSONValue {
        guard let reference = schema["$ref"]?.text else { return schema }
        return schemas[reference.split(scalar: "/").last.map(String.init) ?? ""] ?? .null
    }
}

/// What a description says of one operation.
struct DescribedOperation: Sendable {
    struct Parameter: Sendable {
        /// Of a value, or of each element of a list.
        let schema: JSONValue
        let isList: Bool
        let isRequired: Bool
        let choices: Set<String>?

        var type: String { schema["type"]?.text ?? "string" }
        var maximum: Int? { schema["maximum"]?.integer }
    }

    let parameters: [String: Parameter]
    /// The schema of the body in JSON; nil where there is none.
    let body: JSONValue?

    init(_ value: JSONValue, in description: APIDescription) {
        var parameters: [String: Parameter] = [:]
        for parameter in value["parameters"]?.elements ?? [] {
            guard parameter["in"]?.text == "query", let name = parameter["name"]?.text,
                let schema = parameter["schema"].map(description.resolved)
            else { continue }
            let isList = schema["type"]?.text == "array"
            let element =
                isList ? schema["items"].map(description.resolved) ?? .null : schema
            parameters[name] = Parameter(
                schema: element, isList: isList,
                isRequired: parameter["required"]?.flag ?? false,
                choices: element["enum"]?.elements.map { Set($0.compactMap(\.text)) })
        }
        self.parameters = parameters
        self.body = value["requestBody"]?["content"]?["application/json"]?["schema"]
    }

    /// Whether the answer is a list, which pages.
    var isPaged: Bool { parameters["limit"] != nil }
}
