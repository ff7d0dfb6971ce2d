import Foundation

/// Collects what is wrong while a document is read to its end.
final class ProblemList {
    private(set) var problems: [String] = []

    func add(_ path: String, _ problem: String) {
        problems.append(path.isEmpty ? problem : "\(path): \(problem)")
    }
}

/// A value of a document together with the way to it, for messages such as
/// `products[2].displayPrice: …`.
struct JSONNode {
    let value: JSONValue?
    let path: String
    let problems: ProblemList

    subscript(key: String) -> JSONNode {
        let child: JSONValue? = if case .object(let members) = value { members[key] } else { nil }
        return JSONNode(
            value: child, path: path.isEmpty ? key : "\(path).\(key)", problems: problems)
    }

    /// Missing or null.
    var isAbsent: Bool {
        switch value {
        case nil, .null?: true
        default: false
        }
    }

    func report(_ problem: String) {
        problems.add(path, problem)
    }

    /// The members of an array; none where it is absent.
    func elements() -> [JSONNode] {
        guard !isAbsent else { return [] }
        guard case .array(let members) = value else {
            report("must be an array")
            return []
        }
        return members.enumerated().map { index, member in
            JSONNode(value: member, path: "\(path)[\(index)]", problems: problems)
        }
    }

    /// The text of a string that must be there.
    func string() -> String? {
        guard !isAbsent else {
            report("is missing")
            return nil
        }
        guard case .string(let text) = value else {
            report("must be a string")
            return nil
        }
        return text
    }

    func string(default fallback: String) -> String {
        isAbsent ? fallback : string() ?? fallback
    }

    func bool(default fallback: Bool) -> Bool {
        guard !isAbsent else { return fallback }
        guard case .bool(let flag) = value else {
            report("must be true or false")
            return fallback
        }
        return flag
    }

    func integer(default fallback: Int? = nil) -> Int? {
        if isAbsent, let fallback { return fallback }
        guard case .number(let number) = value, let whole = Int(exactly: number) else {
            report(isAbsent ? "is missing" : "must be a whole number")
            return nil
        }
        return whole
    }

    /// A whole number from 1 on.
    func positive(default fallback: Int) -> Int? {
        guard let number = integer(default: fallback) else { return nil }
        guard number > 0 else {
            report("must be 1 or more")
            return nil
        }
        return number
    }

    /// A string with rules; `form` says what it should have looked like.
    func text<Value>(_ form: String, _ make: (String) -> Value?) -> Value? {
        guard let text = string() else { return nil }
        guard let value = make(text) else {
            report("\"\(text)\" is not \(form)")
            return nil
        }
        return value
    }
}
