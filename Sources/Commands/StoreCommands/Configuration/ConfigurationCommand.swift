import Foundation
import StoreModel

/// `openstore configuration`
enum ConfigurationCommand: Command {
    static let spec = CommandSpec(
        words: ["configuration"], summary: "Show what can be set, and what is set.",
        discussion: """
            Everything that openstore serve takes can also stand in the environment or in a file; what
            is given on the command line comes first, then the environment, then the file. Printed
            as it is, the reference is such a file in which nothing is set. Where the store is
            kept (data, database, content, content-key) counts for all commands that open it.
            """,
        options: ServeCommand.spec.options + [
            .flag("effective", "Show the values that hold here, and where each comes from."),
            .json,
        ])

    /// A line of the reference.
    private struct Reference: Encodable {
        let name: String
        let flag: String
        let variable: String
        let `default`: String?
        let isRepeatable: Bool
        let meaning: String
    }

    /// A value that holds.
    private struct Effective: Encodable {
        let name: String
        let values: [String]
        /// `default` where nobody gave one.
        let from: String
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        if arguments.has("effective") { return try showEffective(arguments, output) }
        if arguments.has("json") {
            return try output.json(
                Settings.all.map { option in
                    Reference(
                        name: option.name, flag: usage(option), variable: option.variable,
                        default: standard(option), isRepeatable: option.isRepeatable,
                        meaning: option.help)
                })
        }
        output.write(reference)
    }

    /// A file of settings that sets nothing and explains all of them.
    static var reference: String {
        var text = """
            # Settings of a store: lines "name = value". Read from the file that --config or
            # $OPENSTORE_CONFIG names, or from \(Settings.standardFile).

            """
        for option in Settings.all {
            text += "\n" + wrapped(option.help).map { "# \($0)\n" }.joined()
            text += "# \(usage(option)), $\(option.variable)"
            text += option.isRepeatable ? "; several lines give several values\n" : "\n"
            text += "#\(option.name) = \(standard(option) ?? option.value ?? "")\n"
        }
        return text
    }

    private static func usage(_ option: CommandSpec.Option) -> String {
        "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
    }

    private static func standard(_ option: CommandSpec.Option) -> String? {
        option.standard ?? (option.value == nil ? "false" : nil)
    }

    /// Lines of up to 80 characters.
    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = [""]
        for word in text.split(scalar: " ") {
            let last = lines.count - 1
            if lines[last].count + word.count > 78 {
                lines.append(String(word))
            } else {
                lines[last] += (lines[last].isEmpty ? "" : " ") + word
            }
        }
        return lines
    }

    private static func showEffective(_ arguments: ParsedArguments, _ output: Output) throws {
        let rows = Settings.all.map { option -> Effective in
            let given = arguments.all(option.name)
            let values = given.isEmpty ? [standard(option)].compactMap(\.self) : given
            return Effective(
                name: option.name,
                values: values.map { HiddenSecrets.text($0) },
                from: arguments.origin(of: option.name) ?? "default")
        }
        if arguments.has("json") { return try output.json(rows) }
        var table = Table(["SETTING", "VALUE", "FROM"])
        table.rows = rows.map { row in
            [row.name, row.values.isEmpty ? "-" : row.values.joined(separator: " "), row.from]
        }
        output.write(table.text(on: output))
    }
}
