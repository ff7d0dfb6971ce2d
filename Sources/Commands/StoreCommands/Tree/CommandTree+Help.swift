extension CommandTree {
    static let summary =
        "openstore is a store for in-app purchases: apps built on StoreKit buy from it."

    /// What `openstore --help` shows: a line for each noun, or for some that belong together.
    static var overview: String {
        let title = 2 + (groups.map(\.title.count).max() ?? 0)
        let names = 2 + (groups.flatMap(\.rows).map { name(of: $0).count }.max() ?? 0)
        var text = "\(summary)\n\nUsage: openstore COMMAND [OPTIONS]\n\n"
        for group in groups {
            for (index, row) in group.rows.enumerated() {
                text += (index == 0 ? group.title : "").padding(
                    toLength: title, withPad: " ", startingAt: 0)
                text += name(of: row).padding(toLength: names, withPad: " ", startingAt: 0)
                text += row.summary + "\n"
            }
        }
        return text + """

            openstore COMMAND --help says more. openstore help options and openstore help
            exit-codes explain what commands have in common; openstore --version tells the
            version.

            """
    }

    private static func name(of row: CommandGroup.Row) -> String {
        row.nouns.map(\.name).joined(separator: ", ")
    }

    /// The commands that begin with some words, such as those of a noun.
    static func listing(_ words: [String]) -> String {
        let commands = commands.filter { $0.spec.words.starts(with: words) }
        let start = words.joined(separator: " ")
        let summary = words.count == 1 ? nouns.first { $0.name == start }?.summary : nil
        let rows = commands.map { command in
            (
                command.spec.words.dropFirst(words.count).joined(separator: " "),
                command.spec.summary
            )
        }
        return (summary.map { "\($0)\n\n" } ?? "")
            + "Usage: openstore \(start) COMMAND [OPTIONS]\n\n"
            + HelpText.table(rows) + "\nopenstore \(start) COMMAND --help says more.\n"
    }
}
