import StoreModel

/// The script by which zsh completes commands.
enum ZshCompletion {
    static var script: String {
        """
        #compdef openstore
        # Completes the commands of openstore in zsh: openstore completion zsh > FOLDER/_openstore,
        # with a folder of $fpath.
        _openstore() {
            local command="" index=2
            local -a list
            while (( index < CURRENT )); do
                case "$command ${words[index]}" in
                \(steps))
                    command="$command ${words[index]}" ;;
                *) break ;;
                esac
                (( index++ ))
            done
            case "$command ${words[CURRENT-1]}" in
        \(values)
            esac
            case $command in
        \(lists)
            esac
        }
        _openstore "$@"

        """
    }

    private static var steps: String {
        CompletionTree.beginnings.flatMap { words, next in next.map { pattern(words + [$0]) } }
            .joined(separator: "|")
    }

    private static var lists: String {
        let beginnings = CompletionTree.beginnings.map { words, next in
            let rows = next.map { entry($0, CompletionTree.summary(words, $0)) }
            return "    \(pattern(words)))\n        list=(\(rows.joined(separator: " ")))\n"
                + "        _describe command list ;;"
        }
        let commands = CommandTree.commands.map { command in
            let rows = CompletionTree.options(command.spec).map { entry("--\($0.name)", $0.help) }
            return "    \(pattern(command.spec.words)))\n"
                + "        list=(\(rows.joined(separator: " ")))\n"
                + "        [[ $PREFIX == -* ]] && _describe option list || _files ;;"
        }
        return (beginnings + commands).joined(separator: "\n")
    }

    private static var values: String {
        CommandTree.commands.flatMap { command in
            CompletionTree.options(command.spec).filter { $0.value != nil }.map { option in
                let effect =
                    option.isPath
                    ? "_files"
                    : option.choices.isEmpty
                        ? "_message \(quoted(option.value ?? ""))"
                        : "compadd -- \(option.choices.joined(separator: " "))"
                return "    \(pattern(command.spec.words + ["--\(option.name)"]))) "
                    + "\(effect); return ;;"
            }
        }.joined(separator: "\n")
    }

    private static func pattern(_ words: [String]) -> String {
        "\"" + words.map { " \($0)" }.joined() + "\""
    }

    /// A word and what it means, as `_describe` takes both.
    private static func entry(_ word: String, _ text: String) -> String {
        quoted("\(word):\(text.replacing(scalar: ":", with: "\\:"))")
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing(scalar: "'", with: "'\\''") + "'"
    }
}
