import StoreModel

/// `openstore completion`: tab completion for shells.
enum CompletionCommand: Command {
    static let spec = CommandSpec(
        words: ["completion"], summary: "Print the completion script of a shell.",
        discussion: """
            For bash: source <(openstore completion bash), in ~/.bashrc to have it always; for zsh
            write it as _openstore into a folder of $fpath; for fish write it into
            ~/.config/fish/completions/openstore.fish.
            """,
        arguments: [.init(name: "bash|zsh|fish", help: "The shell.")])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let name = arguments.argument(0)
        guard let shell = CompletionShell(rawValue: name) else {
            throw UsageError(description: "\"\(name)\" is none of bash, zsh and fish")
        }
        output.write(shell.script)
    }
}

/// A shell that completes commands by a script.
enum CompletionShell: String, CaseIterable {
    case bash
    case zsh
    case fish

    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }
}

/// What completions are made from.
enum CompletionTree {
    /// Words that begin commands, or none, and what may follow them.
    static let beginnings: [(words: [String], next: [String])] = {
        var known: [[String]] = [[]]
        for command in CommandTree.commands {
            for count in command.spec.words.indices.dropFirst() {
                let words = Array(command.spec.words.prefix(count))
                if !known.contains(words) { known.append(words) }
            }
        }
        return known.map { ($0, CommandTree.next(after: $0)) }
    }()

    /// All options of a command.
    static func options(_ spec: CommandSpec) -> [CommandSpec.Option] { spec.options + spec.common }

    /// One line about a word that may follow others.
    static func summary(_ words: [String], _ next: String) -> String {
        let words = words + [next]
        if let command = CommandTree.command(words), command.spec.words == words {
            return command.spec.summary
        }
        return CommandTree.nouns.first { [$0.name] == words }?.summary ?? ""
    }
}

extension CommandSpec.Option {
    /// Whether its value is the path of a file or a folder.
    var isPath: Bool {
        ["FILE", "DIR", "BACKUP", ".p8"].contains { value?.contains(scalars: $0) == true }
    }
}
