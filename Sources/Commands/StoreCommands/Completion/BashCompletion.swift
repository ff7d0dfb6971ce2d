/// The script by which bash completes commands.
enum BashCompletion {
    static var script: String {
        """
        # Completes the commands of openstore in bash: source <(openstore completion bash)
        _openstore() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
            local index command="" words="" kind=""
            # Bash takes --option=value apart at the equals sign.
            if [[ $current == = ]]; then
                current=""
            elif [[ $previous == = ]]; then
                previous=${COMP_WORDS[COMP_CWORD-2]}
            fi
            for ((index = 1; index < COMP_CWORD; index++)); do
                case "$command ${COMP_WORDS[index]}" in
        \(steps))
                    command="$command ${COMP_WORDS[index]}" ;;
                *) break ;;
                esac
            done
            case $command in
        \(lists)
            esac
            case "$command $previous" in
        \(values)
            esac
            [[ $kind == path ]] && return
            if [[ $kind == value ]]; then
                compopt +o default 2>/dev/null
                return
            fi
            # The arguments of a command may be files.
            [[ $words == -* && $current != -* ]] && return
            COMPREPLY=($(compgen -W "$words" -- "$current"))
        }
        complete -o default -F _openstore openstore

        """
    }

    /// The words that lead on from a beginning, as patterns.
    private static var steps: String {
        CompletionTree.beginnings.map { words, next in
            "        "
                + next.map { pattern(words + [$0]) }.joined(separator: " | ")
        }.joined(separator: " | \\\n")
    }

    /// What may stand after each beginning, and after each command.
    private static var lists: String {
        let beginnings = CompletionTree.beginnings.map { words, next in
            line(pattern(words), "words=\"\((next + ["--help"]).joined(separator: " "))\"")
        }
        let commands = CommandTree.commands.map { command in
            let options = CompletionTree.options(command.spec).map { "--\($0.name)" }
            return line(
                pattern(command.spec.words), "words=\"\(options.joined(separator: " "))\"")
        }
        return (beginnings + commands).joined(separator: "\n")
    }

    /// The values of options.
    private static var values: String {
        CommandTree.commands.flatMap { command in
            CompletionTree.options(command.spec).filter { $0.value != nil }.map { option in
                let choices = option.choices.joined(separator: " ")
                return line(
                    pattern(command.spec.words + ["--\(option.name)"]),
                    option.isPath
                        ? "kind=path" : choices.isEmpty ? "kind=value" : "words=\"\(choices)\"")
            }
        }.joined(separator: "\n")
    }

    private static func pattern(_ words: [String]) -> String {
        "\"" + words.map { " \($0)" }.joined() + "\""
    }

    private static func line(_ pattern: String, _ effect: String) -> String {
        "    \(pattern)) \(effect) ;;"
    }
}
