import StoreModel

/// What a command takes: enough to parse its arguments and to print its help.
struct CommandSpec: Sendable {
    /// A value in a fixed place.
    struct Argument: Sendable {
        let name: String
        let help: String
        /// Whether it may be left out; only the last arguments may.
        var isOptional = false
        /// Whether there may be several; only of the last one.
        var isRepeatable = false
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
        /// Whether the command does nothing without it.
        var isRequired = false
        /// Whether many commands take it, so that `openstore help options` explains it for all.
        var isShared = false
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

        /// The same, without which the command does nothing.
        var asRequired: Option {
            var option = self
            option.isRequired = true
            return option
        }

        /// The same, explained for all commands at once.
        var asShared: Option {
            var option = self
            option.isShared = true
            return option
        }

        /// The same, explained by the command itself.
        var asOwn: Option {
            var option = self
            option.isShared = false
            return option
        }

        /// The variable of the environment that stands for it.
        var variable: String {
            ownVariable ?? "OPENSTORE_" + name.uppercased().replacing(scalar: "-", with: "_")
        }

        /// The values that there are, where the help lists them: `on|off`; none where others can
        /// be given, as with `ADDRESS|none`.
        var choices: [String] {
            let words = (value ?? "").split(scalar: "|", omittingEmptySubsequences: false)
            let capitals = words.count { Self.isCapital($0) }
            guard words.count > 1, capitals == 0 || capitals == words.count,
                words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isPlain) })
            else { return [] }
            return words.map(String.init)
        }

        /// Whether a word is written as those that stand for many values.
        private static func isCapital(_ word: Substring) -> Bool {
            word.utf8.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
                && !word.utf8.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        }

        private static func isPlain(_ byte: UInt8) -> Bool {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }

        /// As it stands in usage lines and lists: `--name VALUE`.
        var form: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
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

    /// Whether it runs on the store's own machine only: it opens the store's folder and database,
    /// and knows no key with which it could ask a store elsewhere. `configuration` opens no store.
    var isLocal: Bool {
        guard words != ["configuration"] else { return false }
        let names = Set(options.map(\.name))
        return names.isSuperset(of: ["data", "database"]) && !names.contains("key")
    }

    /// All that its help explains about it, in paragraphs.
    var explanation: String {
        guard isLocal else { return discussion }
        return (discussion.isEmpty ? "" : discussion + "\n\n")
            + "Runs on the store's own machine only: it opens the store's folder and database."
    }

    /// The options that commands have without listing them.
    var common: [Option] {
        options.contains(where: \.isSetting) ? [Settings.fileOption, .help] : [.help]
    }
}
