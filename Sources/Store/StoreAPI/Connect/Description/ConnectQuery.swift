import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// The parameters behind a request's question mark, as the description of the operation
/// allows them.
package struct ConnectQuery: Sendable {
    /// `fields[type]`: the attributes and relationships that are wanted of a type.
    package private(set) var fields: [String: Set<String>] = [:]
    /// `include`: relationships whose resources are wanted too.
    package private(set) var include: [String] = []
    /// `filter[name]`: one of these values.
    package private(set) var filters: [String: [String]] = [:]
    /// `exists[name]`.
    package private(set) var exists: [String: Bool] = [:]
    /// `sort`: names, with a minus in front where the greatest is first.
    package private(set) var sort: [String] = []
    /// `limit[relationship]`: how many of what is included.
    package private(set) var limits: [String: Int] = [:]
    /// Parameters with other names.
    package private(set) var others: [String: String] = [:]
    private(set) var limit: Int
    private(set) var cursor: String?

    /// As many as a page has where nobody says how many.
    static let usualLimit = 50
    /// As many as are included of a relationship where nobody says how many.
    static let usualIncludedLimit = 10

    /// The values of a filter; nil where it is not there.
    package func filter(_ name: String) -> [String]? { filters[name] }

    /// The only value of a filter; nil if the request does not have the filter.
    ///
    /// - Throws: `JSONAPIErrors` for more than one.
    package func one(_ name: String) throws -> String? {
        guard let values = filters[name] else { return nil }
        guard values.count == 1 else {
            throw JSONAPIErrors.parameter("filter[\(name)]", "Ask for one value at a time.")
        }
        return values[0]
    }

    /// Reads and checks all parameters.
    ///
    /// - Throws: `JSONAPIErrors` with everything that is wrong.
    init(_ query: [(name: String, value: String)], by operation: DescribedOperation) throws {
        var errors: [JSONAPIError] = []
        var seen: Set<String> = []
        limit = min(Self.usualLimit, operation.parameters["limit"]?.maximum ?? Self.usualLimit)
        for (name, value) in query {
            guard seen.insert(name).inserted else {
                errors.append(.parameter(name, "The parameter is there twice; join its values."))
                continue
            }
            if name == "cursor", operation.isPaged {
                cursor = value
                continue
            }
            guard let parameter = operation.parameters[name] else {
                errors.append(.illegalParameter(name))
                continue
            }
            do {
                try take(name, parameter.values(of: value))
            } catch let problem as ParameterProblem {
                errors.append(.parameter(name, problem.text))
            }
        }
        for (name, parameter) in operation.parameters
        where parameter.isRequired && !seen.contains(name) {
            errors.append(.missingParameter(name))
        }
        guard errors.isEmpty else {
            throw JSONAPIErrors(
                errors.sorted { ($0.source?.parameter ?? "") < ($1.source?.parameter ?? "") })
        }
    }

    private mutating func take(_ name: String, _ values: [String]) throws {
        let (kind, subject) = Self.parts(of: name)
        switch (kind, subject) {
        case ("fields", let type?): fields[type] = Set(values)
        case ("include", nil): include = values
        case ("sort", nil): sort = values
        case ("filter", let subject?):
            guard !values.isEmpty, values != [""] else {
                throw ParameterProblem(text: "The filter is empty; leave it out, or fill it.")
            }
            filters[subject] = values
        case ("exists", let subject?): exists[subject] = values.first == "true"
        case ("limit", let subject?): limits[subject] = values.first.flatMap { Int($0) }
        case ("limit", nil): limit = values.first.flatMap { Int($0) } ?? limit
        default: others[name] = values.joined(separator: ",")
        }
    }

    /// `filter[name]` in its two parts.
    private static func parts(of name: String) -> (kind: String, subject: String?) {
        guard let bracket = name.unicodeScalars.firstIndex(of: "["), name.hasSuffix(scalars: "]")
        else {
            return (name, nil)
        }
        let subject = name.unicodeScalars[bracket...].dropFirst().dropLast()
        return (String(name[..<bracket]), String(subject))
    }
}

private struct ParameterProblem: Error {
    let text: String
}

extension DescribedOperation.Parameter {
    /// The values in a parameter, each checked.
    fileprivate func values(of text: String) throws -> [String] {
        guard !text.unicodeScalars.contains("\0") else {
            throw ParameterProblem(text: "The value has a character that no text may have.")
        }
        var values = [text]
        if isList {
            values =
                text.isEmpty
                ? []
                : text.split(scalar: ",", omittingEmptySubsequences: choices == nil)
                    .map(String.init)
        }
        for value in values {
            if let choices, !choices.contains(value) {
                let known = choices.sorted().prefix(40).joined(separator: ", ")
                throw ParameterProblem(text: "'\(value.prefix(100))' is none of: \(known).")
            }
            switch type {
            case "integer":
                guard let number = Int(value), number >= 1, number <= maximum ?? .max else {
                    throw ParameterProblem(
                        text: "It must be a whole number from 1"
                            + (maximum.map { " to \($0)." } ?? " on."))
                }
            case "boolean":
                guard value == "true" || value == "false" else {
                    throw ParameterProblem(text: "It must be true or false.")
                }
            default: break
            }
        }
        return values
    }
}

extension JSONAPIError {
    static func parameter(_ name: String, _ detail: String) -> JSONAPIError {
        JSONAPIError(
            status: 400, code: "PARAMETER_ERROR.INVALID",
            title: "A parameter has an invalid value", detail: detail,
            source: Source(parameter: String(name.prefix(100))))
    }

    fileprivate static func illegalParameter(_ name: String) -> JSONAPIError {
        let name = String(name.prefix(100))
        return JSONAPIError(
            status: 400, code: "PARAMETER_ERROR.ILLEGAL",
            title: "A parameter is not one of this request",
            detail: "The parameter '\(name)' can not be used with this request.",
            source: Source(parameter: name))
    }

    fileprivate static func missingParameter(_ name: String) -> JSONAPIError {
        JSONAPIError(
            status: 400, code: "PARAMETER_ERROR.REQUIRED", title: "A parameter is missing",
            detail: "The parameter '\(name)' is required.", source: Source(parameter: name))
    }
}
