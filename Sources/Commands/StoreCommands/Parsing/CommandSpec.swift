import StoreModel

/// What a command takes: enough to parse its arguments and to print its help.
struct CommandSpec: Sendable {
    /// A value in a fixed place.
    struct Argument: Sendable {
        let name: String
        let help: String
        /// Whether it may be left out; only the last arguments may.
        var isOptional = false
    }

    /// `--name VALUE`, or `--name` alone for a flag.
    struct Option: Sendable {
        let name: String
        /// What stands for the value in the help; nil for a flag.
        let value: String?
        let help: String
        /// What holds unless another value is given, as one would give it; nil where nothing does.
        var standard: String?
        /// Whether each use adds a value, instead of replacing the one before.
        var isRepeatable = false
        /// Whether it also comes from the environment and from a file: `Settings`.
        var isSetting = false
        /// The name of its variable where that is not made from the option's name.
        var ownVariable: String?

        static func flag(_ name: String, _ help: String) -> Option {
            Option(name: name, value: nil, help: help)
        }

        static func value(
            _ name: String, _ value: String, _ help: String, standard: String? = nil,
            isRepeatable: Bool = false
        ) -> Option {
            Option(
                name: name, value: value, help: help, standard: standard,
                isRepeatable: isRepeatable)
        }

        /// The same, which also comes from the environment and from a file.
        var asSetting: Option {
            var option = self
            option.isSetting = true
            return option
        }

        /// The variable of the environment that stands for it.
        var variable: String {
            ownVariable ?? "OPENSTORE_" + name.uppercased().replacing(scalar: "-", with: "_")
        }
    }

    /// The words that call it, for example `["catalog", "import"]`.
    let words: [String]
    /// One line for the list of commands.
    let summary: String
    /// More for the command's own help.
    var discussion: String = ""
    var arguments: [Argument] = []
    /// Words behind the arguments that are none of this program's, such as another command; nil
    /// where there are none.
    var rest: Argument?
    var options: [Option] = []

    /// The options that commands have without listing them.
    var common: [Option] {
        let help: Option = .flag("help", "Show this help.")
        return options.contains(where: \.isSetting) ? [Settings.fileOption, help] : [help]
    }

    /// How the command is called, in one line.
    var usage: String {
        var parts =
            ["openstore"] + words + arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }
        parts += options.map { option in
            "[--\(option.name)\(option.value.map { " \($0)" } ?? "")]"
        }
        if let rest { parts.append("-- \(rest.name)") }
        return parts.joined(separator: " ")
    }

    var help: String {
        var text = "\(summary)\n\nUsage: \(usage)\n"
        if !discussion.isEmpty { text += "\n\(discussion)\n" }
        var rows = (arguments + [rest].compactMap(\.self)).map { ($0.name, $0.help) }
        rows += (options + common).map { option in
            ("--\(option.name)\(option.value.map { " \($0)" } ?? "")", option.help)
        }
        let width = rows.map(\.0.count).max() ?? 0
        text += "\n"
        for (name, help) in rows {
            text += "  \(name.padding(toLength: width, withPad: " ", startingAt: 0))  \(help)\n"
        }
        return text
    }
}
