import Foundation
import StoreModel

/// The command line was wrong, or the file with its settings: the message says what, and what to
/// do.
struct UsageError: ExitCoded, CustomStringConvertible {
    /// The option whose value is wrong; nil where it is none, or several.
    var option: String?
    /// What is wrong, without the option's name.
    var problem: String
    var exitCode: ExitCode

    init(description: String, exitCode: ExitCode = .usage) {
        problem = description
        self.exitCode = exitCode
    }

    /// The value of an option is wrong, wherever it came from.
    init(option: String, _ problem: String) {
        (self.option, self.problem, exitCode) = (option, problem, .usage)
    }

    var description: String { option.map { "--\($0): \(problem)" } ?? problem }
}

/// The arguments of one call, checked against the command's specification.
struct ParsedArguments: Sendable {
    private let spec: CommandSpec
    private var positional: [String]
    /// Values of options as they were given, those of flags as `true` and `false`.
    private var values: [String: [String]]
    /// What the environment and the file say.
    private let settings: Settings
    /// The words that the specification calls the rest: all from the first one on that is neither
    /// an option nor an argument.
    let rest: [String]

    /// Gets the value of an argument or an option from somebody, by its name and its help; `nil`
    /// where there is none.
    typealias Question = (_ name: String, _ help: String) -> String?

    /// - Parameters:
    ///   - environment: where settings come from that are not among the arguments.
    ///   - file: where the others come from, unless the arguments or the environment name another
    ///     file; nothing where there is no such file.
    ///   - ask: gets what is required and missing; not used where a program reads the output.
    /// - Throws: `UsageError`, which names all that is missing.
    init(
        _ arguments: [String], for spec: CommandSpec, environment: [String: String] = [:],
        file: String? = nil, ask: Question? = nil
    ) throws {
        let (values, positional, rest) = try Self.split(arguments, for: spec)
        (self.spec, self.values, self.positional, self.rest) = (spec, values, positional, rest)
        let isHelp = values["help"] != nil
        settings =
            spec.options.contains(where: \.isSetting) && !isHelp
            ? try Settings(
                file: values[Settings.fileOption.name]?.last, environment: environment,
                standardFile: file) : Settings()
        guard !isHelp else { return }
        let isOpen = spec.arguments.last?.isRepeatable == true
        guard isOpen || positional.count <= spec.arguments.count else {
            throw UsageError(
                description: "\"\(positional[spec.arguments.count])\" is one argument too many\n"
                    + "Usage: \(spec.usage)")
        }
        if let ask, !has("json"), !has("quiet") { fill(ask) }
        let missing = missing
        if !missing.isEmpty { throw Self.lack(of: missing, spec) }
    }

    // MARK: What is missing

    private var missingArguments: [CommandSpec.Argument] {
        spec.arguments.dropFirst(positional.count).filter { !$0.isOptional }
    }

    private var missingOptions: [CommandSpec.Option] {
        spec.options.filter { $0.isRequired && self[$0.name] == nil }
    }

    private var missing: [String] {
        var names = missingArguments.map(\.name) + missingOptions.map { "--\($0.name)" }
        if let wanted = spec.rest, !wanted.isOptional, rest.isEmpty { names.append(wanted.name) }
        return names
    }

    /// Asks for what is missing, until somebody gives nothing.
    private mutating func fill(_ ask: Question) {
        for argument in missingArguments {
            guard let value = ask(argument.name, argument.help) else { return }
            positional.append(value)
        }
        for option in missingOptions {
            guard let value = ask("--\(option.name)", option.help) else { return }
            values[option.name] = [value]
        }
    }

    // MARK: Words

    /// Options, arguments, and what stands behind them.
    private static func split(
        _ arguments: [String], for spec: CommandSpec
    ) throws -> (values: [String: [String]], positional: [String], rest: [String]) {
        var values: [String: [String]] = [:]
        var positional: [String] = []
        let options = Dictionary(
            uniqueKeysWithValues: (spec.options + spec.common).map { ($0.name, $0) })
        var rest = arguments[...]
        var onlyPositional = false
        while let word = rest.popFirst() {
            let isOption = !onlyPositional && word.hasPrefix(scalars: "-") && word != "-"
            let isComplete = spec.arguments.dropFirst(positional.count).allSatisfy(\.isOptional)
            let isFull = positional.count == spec.arguments.count
            if let wanted = spec.rest, isOption ? word == "--" && isComplete : isFull {
                let words = (word == "--" ? [] : [word]) + rest
                guard !words.isEmpty else { throw lack(of: [wanted.name], spec) }
                return (values, positional, words)
            }
            if !isOption {
                positional.append(word)
                continue
            }
            if word == "--" {
                onlyPositional = true
                continue
            }
            // `-o` is the customary short form of an output file, `-h` that of the help.
            let text =
                switch word {
                case "-o": "output"
                case "-h": "help"
                default: String(word.drop { $0 == "-" })
                }
            let parts = text.split(scalar: "=", maxSplits: 1).map(String.init)
            guard let name = parts.first, let option = options[name] else {
                throw unknown(word, parts.first, for: spec)
            }
            if option.value == nil {
                // What the environment or a file turns on can be turned off.
                guard parts.count == 1 || option.isSetting,
                    let value = parts.dropFirst().first
                        .map(Settings.flag) ?? true
                else {
                    throw UsageError(
                        description: option.isSetting
                            ? "--\(name) is true or false" : "--\(name) takes no value")
                }
                values[name] = [String(value)]
            } else if let value = parts.count == 2 ? parts[1] : rest.popFirst() {
                values[name] = option.isRepeatable ? (values[name] ?? []) + [value] : [value]
            } else {
                throw UsageError(description: "--\(name) needs a value (\(option.value ?? ""))")
            }
        }
        return (values, positional, [])
    }

    private static func unknown(
        _ word: String, _ name: String?, for spec: CommandSpec
    ) -> UsageError {
        let names = (spec.options + spec.common).map(\.name)
        let similar = name.flatMap { Similar.word(to: $0, in: names) }
        return UsageError(
            description: "unknown option \(word)"
                + (similar.map { "; did you mean --\($0)?" } ?? "")
                + "\nUsage: \(spec.usage)")
    }

    /// The command as one calls it, for example `openstore refund list`.
    var command: String { "openstore " + spec.words.joined(separator: " ") }

    func has(_ flag: String) -> Bool { self[flag] == "true" }

    /// The value of an option; of a setting also from the environment and from the file.
    subscript(option: String) -> String? { all(option).last }

    /// The values of an option that may be given several times.
    func all(_ option: String) -> [String] {
        guard let given = values[option] else {
            let isSetting = spec.options.contains { $0.name == option && $0.isSetting }
            return isSetting ? settings.values(of: option)?.texts ?? [] : []
        }
        return given
    }

    /// Whether an option stands among the arguments themselves.
    func isGiven(_ option: String) -> Bool { values[option] != nil }

    /// The value of a setting, also where the command has no such option, or one with the same
    /// name that means something else.
    func setting(_ name: String) -> String? {
        let isOwn = spec.options.contains { $0.name == name && $0.isSetting }
        return isOwn ? self[name] : settings.values(of: name)?.texts.last
    }

    /// Where the value of a setting comes from; nil where nobody gave one.
    func origin(of name: String) -> String? {
        values[name] != nil ? "--\(name)" : settings.values(of: name)?.origin
    }

    /// An error of a command, with where the value comes from that is wrong.
    func located(_ error: UsageError) -> UsageError {
        guard let option = error.option, !isGiven(option),
            let origin = settings.values(of: option)?.origin
        else { return error }
        return UsageError(
            description: "\(origin): \(option): \(error.problem)",
            exitCode: origin.hasPrefix(scalars: "$") ? .usage : .configuration)
    }

    /// The value of an argument, by its place.
    func argument(_ index: Int) -> String { positional[index] }

    /// The value of an argument that may be left out, by its place.
    func optionalArgument(_ index: Int) -> String? {
        positional.indices.contains(index) ? positional[index] : nil
    }

    /// The values of the last argument, which may be given several times.
    var repeatedArguments: [String] {
        Array(positional.dropFirst(max(0, spec.arguments.count - 1)))
    }

    /// The value of an option that must be there.
    func required(_ option: String) throws -> String {
        guard let value = self[option] else { throw Self.lack(of: ["--\(option)"], spec) }
        return value
    }

    /// The value of an option that must be there, with rules of its own.
    func required<Value>(
        _ option: String, _ form: String, _ make: (String) -> Value?
    ) throws -> Value {
        guard let value = try value(option, form, make) else {
            throw Self.lack(of: ["--\(option)"], spec)
        }
        return value
    }

    /// Refuses a line without all of some options, which others make necessary.
    func demand(_ options: [String]) throws {
        let missing = options.filter { self[$0] == nil }
        if !missing.isEmpty { throw Self.lack(of: missing.map { "--\($0)" }, spec) }
    }

    static func lack(of names: [String], _ spec: CommandSpec) -> UsageError {
        UsageError(
            description: "\(names.formatted(as: "and")) \(names.count == 1 ? "is" : "are") "
                + "missing\nUsage: \(spec.usage)")
    }

    /// The value of an option with rules of its own; nil where it is absent.
    func value<Value>(
        _ option: String, _ form: String, _ make: (String) -> Value?
    ) throws -> Value? {
        guard let text = self[option] else { return nil }
        guard let value = make(text) else {
            throw UsageError(option: option, "\"\(text)\" is not \(form)")
        }
        return value
    }

    /// A path, relative to the current directory.
    static func url(_ path: String) -> URL {
        URL(fileURLWithPath: path)
    }
}
