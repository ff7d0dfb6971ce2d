/// `openstore help`
enum HelpCommand: Command {
    static let spec = CommandSpec(
        words: ["help"], summary: "Explain a command, the options of many, or exit codes.",
        discussion: """
            Without arguments all commands are listed. With --json everything that the helps say is
            written for programs, such as those that make man pages.
            """,
        arguments: [
            .init(
                name: "COMMAND",
                help: "The words of a command or their beginning, or options, or exit-codes.",
                isOptional: true),
            .init(name: "VERB", help: "The second word.", isOptional: true),
            .init(name: "VERB", help: "The third word.", isOptional: true),
        ],
        options: [.json])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        if arguments.has("json") { return output.json(text: CommandTree.json.pretty()) }
        let words = (0..<spec.arguments.count).compactMap { arguments.optionalArgument($0) }
        if words.count == 1, let topic = HelpTopic(rawValue: words[0]) {
            return output.write(topic.text)
        }
        output.write(try CommandTree.help(words))
    }
}

/// What `openstore help` explains that is no command.
enum HelpTopic: String, CaseIterable {
    case options
    case exitCodes = "exit-codes"

    var text: String {
        switch self {
        case .options:
            "Options that many commands take; the help of each says which.\n\n"
                + HelpText.table(SharedOptions.all.map { ($0.form, $0.help) })
        case .exitCodes:
            "How openstore ends.\n\n"
                + HelpText.table(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
        }
    }
}
