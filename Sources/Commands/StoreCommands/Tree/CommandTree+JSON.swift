import StoreModel
import StoreWire

extension CommandTree {
    /// The tree for programs, such as those that make man pages and the reference of commands.
    static var json: JSONValue {
        [
            "program": "openstore", "version": .string(CommandRunner.version),
            "summary": .string(summary),
            "groups": .array(groups.map(json(of:))),
            "sharedOptions": .array(SharedOptions.all.map(json(of:))),
            "exitCodes": .array(
                ExitCode.allCases.map { code in
                    [
                        "code": .number(Double(code.rawValue)),
                        "meaning": .string(code.meaning),
                    ]
                }),
        ]
    }

    private static func json(of group: CommandGroup) -> JSONValue {
        ["title": .string(group.title), "nouns": .array(group.nouns.map(json(of:)))]
    }

    private static func json(of noun: CommandNoun) -> JSONValue {
        [
            "name": .string(noun.name), "summary": .string(noun.summary),
            "isCommand": .bool(noun.isCommand),
            "commands": .array(noun.commands.map { json(of: $0.spec) }),
        ]
    }

    private static func json(of spec: CommandSpec) -> JSONValue {
        let verbs = spec.words.dropFirst().joined(separator: " ")
        return [
            "words": .array(spec.words.map(JSONValue.string)),
            "verb": verbs.isEmpty ? .null : .string(verbs),
            "summary": .string(spec.summary), "discussion": .string(spec.explanation),
            "usage": .string("openstore \(spec.parts.joined(separator: " "))"),
            "arguments": .array(spec.arguments.map(json(of:))),
            "rest": spec.rest.map(json(of:)) ?? .null,
            "options": .array((spec.options + spec.common).map(json(of:))),
        ]
    }

    private static func json(of argument: CommandSpec.Argument) -> JSONValue {
        [
            "name": .string(argument.name), "help": .string(argument.help),
            "isRequired": .bool(!argument.isOptional),
            "isRepeatable": .bool(argument.isRepeatable),
        ]
    }

    private static func json(of option: CommandSpec.Option) -> JSONValue {
        [
            "name": .string(option.name), "value": .text(option.value),
            "help": .string(option.help), "default": .text(option.standard),
            "choices": .array(option.choices.map(JSONValue.string)),
            "isRequired": .bool(option.isRequired), "isShared": .bool(option.isShared),
            "isRepeatable": .bool(option.isRepeatable), "isSetting": .bool(option.isSetting),
            "variable": option.isSetting ? .string(option.variable) : .text(option.ownVariable),
        ]
    }
}
