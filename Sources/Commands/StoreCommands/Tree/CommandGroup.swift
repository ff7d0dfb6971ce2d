/// What the commands of a noun are about, such as apps or a refund.
struct CommandNoun: Sendable {
    /// The first word of its commands, after `openstore`.
    let name: String
    /// One line about all of them.
    let summary: String
    /// In the order of its help.
    let commands: [any Command.Type]

    init(_ name: String, _ summary: String, _ commands: [any Command.Type]) {
        self.name = name
        self.summary = summary
        self.commands = commands
    }

    /// A single command whose name is one word.
    init(_ command: any Command.Type) {
        name = command.spec.words[0]
        summary = command.spec.summary
        commands = [command]
    }

    /// Whether it is a command itself, and has no verbs.
    var isCommand: Bool { commands.first?.spec.words == [name] }
}

/// Commands that belong together, under one title of `openstore --help`.
struct CommandGroup: Sendable {
    /// One line of `openstore --help`: a noun, or several that are used together.
    struct Row: Sendable {
        let nouns: [CommandNoun]
        let summary: String

        init(_ noun: CommandNoun) {
            nouns = [noun]
            summary = noun.summary
        }

        init(_ summary: String, _ nouns: [CommandNoun]) {
            self.summary = summary
            self.nouns = nouns
        }
    }

    let title: String
    let rows: [Row]

    init(_ title: String, _ rows: [Row]) {
        self.title = title
        self.rows = rows
    }

    var nouns: [CommandNoun] { rows.flatMap(\.nouns) }
}
