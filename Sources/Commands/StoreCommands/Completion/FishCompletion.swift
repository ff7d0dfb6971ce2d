import StoreModel

/// The script by which fish completes commands.
enum FishCompletion {
    static var script: String {
        """
        # Completes the commands of openstore in fish:
        # openstore completion fish > ~/.config/fish/completions/openstore.fish
        function __openstore_is
            set -l words (commandline -opc)
            test "$words[2..-1]" = "$argv"
        end
        function __openstore_begins
            set -l words (commandline -opc)
            set -l count (math (count $argv) + 1)
            test (count $words) -ge $count; and test "$words[2..$count]" = "$argv"
        end

        """ + (words + options).joined(separator: "\n") + "\n"
    }

    private static var words: [String] {
        CompletionTree.beginnings.flatMap { words, next in
            next.map { word in
                "complete -c openstore -f -n '\((["__openstore_is"] + words).joined(separator: " "))'"
                    + " -a \(word) -d \(quoted(CompletionTree.summary(words, word)))"
            }
        }
    }

    private static var options: [String] {
        CommandTree.commands.flatMap { command in
            let words = command.spec.words.joined(separator: " ")
            return CompletionTree.options(command.spec).map { option in
                var line =
                    "complete -c openstore -n '__openstore_begins \(words)' -l \(option.name)"
                if option.isPath {
                    line += " -r -F"
                } else if option.value != nil {
                    line += " -x"
                }
                if !option.choices.isEmpty {
                    line += " -a \(quoted(option.choices.joined(separator: " ")))"
                }
                return line + " -d \(quoted(option.help))"
            }
        }
    }

    /// A text as fish takes it: in its quotes a backslash and a quote have one before them.
    private static func quoted(_ text: String) -> String {
        "'"
            + text.replacing(scalar: "\\", with: "\\\\").replacing(scalar: "'", with: "\\'") + "'"
    }
}
