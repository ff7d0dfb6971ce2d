import Foundation

/// The command line was wrong: the message says what, and what to do. Exit code 64.
struct UsageError: Error, CustomStringConvertible {
    let description: String
}

/// The arguments of one call, checked against the command's specification.
struct ParsedArguments: Sendable {
    private let spec: CommandSpec
    private var positional: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []
    /// The words that the specification calls the rest: all from the first one on that is neither
    /// an option nor an argument.
    private(set) var rest: [String] = []

    /// - Throws: `UsageError`.
    init(_ arguments: [String], for spec: CommandSpec) throws {
        self.spec = spec
        let options = Dictionary(
            uniqueKeysWithValues: (spec.options + CommandSpec.common).map { ($0.name, $0) })
        var rest = arguments[...]
        var onlyPositional = false
        while let word = rest.popFirst() {
            let isOption = !onlyPositional && word.hasPrefix("-") && word != "-"
            if spec.rest != nil, positional.count == spec.arguments.count,
                !isOption || word == "--"
            {
                self.rest = (word == "--" ? [] : [word]) + rest
                break
            }
            if !isOption {
                positional.append(word)
                continue
            }
            if word == "--" {
                onlyPositional = true
                continue
            }
            // `-o` is the customary short form of an output file.
            let text = word == "-o" ? "output" : String(word.drop { $0 == "-" })
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard let name = parts.first, let option = options[name] else {
                throw UsageError(description: "unknown option \(word)\nUsage: \(spec.usage)")
            }
            if option.value == nil {
                guard parts.count == 1 else {
                    throw UsageError(description: "--\(name) takes no value")
                }
                flags.insert(name)
            } else if let value = parts.count == 2 ? parts[1] : rest.popFirst() {
                values[name] = value
            } else {
                throw UsageError(description: "--\(name) needs a value (\(option.value ?? ""))")
            }
        }
        guard !flags.contains("help") else { return }
        let required = spec.arguments.count { !$0.isOptional }
        guard (required...spec.arguments.count).contains(positional.count) else {
            let problem =
                positional.count < required
                ? "\(spec.arguments[positional.count].name) is missing"
                : "\"\(positional[spec.arguments.count])\" is one argument too many"
            throw UsageError(description: "\(problem)\nUsage: \(spec.usage)")
        }
        if let name = spec.rest?.name, self.rest.isEmpty {
            throw UsageError(description: "\(name) is missing\nUsage: \(spec.usage)")
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    subscript(option: String) -> String? { values[option] }

    /// The value of an argument, by its place.
    func argument(_ index: Int) -> String { positional[index] }

    /// The value of an argument that may be left out, by its place.
    func optionalArgument(_ index: Int) -> String? {
        positional.indices.contains(index) ? positional[index] : nil
    }

    /// The value of an option that must be there.
    func required(_ option: String) throws -> String {
        guard let value = values[option] else {
            throw UsageError(description: "--\(option) is missing\nUsage: \(spec.usage)")
        }
        return value
    }

    /// The value of an option with rules of its own; nil where it is absent.
    func value<Value>(
        _ option: String, _ form: String, _ make: (String) -> Value?
    ) throws -> Value? {
        guard let text = values[option] else { return nil }
        guard let value = make(text) else {
            throw UsageError(description: "--\(option): \"\(text)\" is not \(form)")
        }
        return value
    }

    /// A path, relative to the current directory.
    static func url(_ path: String) -> URL {
        URL(fileURLWithPath: path)
    }
}
