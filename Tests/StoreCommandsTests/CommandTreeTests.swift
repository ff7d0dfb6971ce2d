import Foundation
import StoreWire
import Testing

@testable import StoreCommands

/// The tree of commands, and what a line of words finds in it.
@Suite struct CommandTreeTests {
    @Test func `each command stands under its noun, and no words call two`() {
        var known: Set<[String]> = []
        for noun in CommandTree.nouns {
            #expect(!noun.commands.isEmpty, "\(noun.name)")
            for command in noun.commands {
                let words = command.spec.words
                #expect(words.first == noun.name, "\(words)")
                #expect(known.insert(words).inserted, "\(words)")
            }
        }
        #expect(Set(CommandTree.nouns.map(\.name)).count == CommandTree.nouns.count)
        // A command that is the beginning of another one would hide it.
        for words in known {
            #expect(!known.contains { $0.count > words.count && $0.starts(with: words) })
        }
    }

    @Test func `the overview fits a screen`() {
        let lines = CommandTree.overview.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 50)
        for line in lines { #expect(line.count <= 100, "\(line)") }
        for noun in CommandTree.nouns {
            #expect(CommandTree.overview.contains(noun.name), "\(noun.name)")
        }
    }

    private func text(_ words: [String]) -> String {
        do {
            switch try CommandTree.find(words) {
            case .version: return "version"
            case .overview: return "overview"
            case .help(let help): return "help: \(help.prefix { $0 != "\n" })"
            case .incomplete(let help): return "incomplete: \(help.prefix { $0 != "\n" })"
            case .command(let command, let rest):
                return (command.spec.words + rest).joined(separator: " ")
            }
        } catch { return "\(error)" }
    }

    @Test(
        arguments: [
            ("", "overview"), ("--help", "overview"), ("-h", "overview"), ("--version", "version"),
            ("app", "incomplete: Apps and their versions."),
            ("app --help", "help: Apps and their versions."),
            ("app version -h", "help: Usage: openstore app version COMMAND [OPTIONS]"),
            ("app show 7 --json", "app show 7 --json"), ("serve --help", "serve --help"),
            ("help app show", "help app show"),
        ] as [(String, String)])
    func `words find a command, or the help of their beginning`(_ line: String, _ found: String) {
        #expect(text(line.split(separator: " ").map(String.init)) == found)
    }

    @Test(
        arguments: [
            ("audi", "did you mean \"openstore audit\"?"),
            ("prodcut list", "did you mean \"openstore product\"?"),
            ("app lst", "did you mean \"openstore app list\"?"),
            ("app version crate", "did you mean \"openstore app version create\"?"),
            ("Audit", "did you mean \"openstore audit\"?"),
            ("nonsense", "openstore --help lists all"),
            ("price nonsense", "there are: show, set, tiers"),
            ("price --json", "is no command of openstore price"),
            ("\u{e9}\u{301}", "openstore --help lists all"),
            (String(repeating: "a", count: 100_000), "openstore --help lists all"),
        ] as [(String, String)])
    func `a wrong word is refused with the nearest one`(_ line: String, _ text: String) {
        let words = line.split(separator: " ").map(String.init)
        let error = #expect(throws: UsageError.self) { try CommandTree.find(words) }
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }

    @Test func `help explains what its words begin`() throws {
        #expect(try CommandTree.help([]) == CommandTree.overview)
        #expect(try CommandTree.help(["app", "show"]) == AppShow.spec.help)
        #expect(try CommandTree.help(["app", "version"]).contains("  release "))
        #expect(throws: UsageError.self) { try CommandTree.help(["app", "show", "more"]) }
        #expect(throws: UsageError.self) { try CommandTree.help(["nothing"]) }
        for topic in HelpTopic.allCases {
            #expect(throws: UsageError.self, "\(topic)") { try CommandTree.help([topic.rawValue]) }
        }
    }

    @Test func `no line of a help is wider than a terminal`() {
        for command in CommandTree.commands {
            let help = command.spec.help
            for line in help.split(separator: "\n") where line.count > HelpText.width {
                // What has no space can't be broken.
                let word = line.split(separator: " ").map(\.count).max() ?? 0
                #expect(word > 40, "\(command.spec.words): \(line)")
            }
        }
    }

    @Test func `programs get all that helps say`() throws {
        let tree = CommandTree.json
        let nouns = (tree["groups"]?.elements ?? []).flatMap { $0["nouns"]?.elements ?? [] }
        let commands = nouns.flatMap { $0["commands"]?.elements ?? [] }
        #expect(commands.count == CommandTree.commands.count)
        let create = try #require(
            commands.first { $0["usage"]?.text?.contains("app create") == true })
        let options = create["options"]?.elements ?? []
        let required = options.filter { $0["isRequired"] == .bool(true) }
        #expect(required.map { $0["name"]?.text } == ["bundle-id", "name"])
        let store = try #require(options.first { $0["name"]?.text == "store" })
        #expect(store["variable"]?.text == "OPENSTORE_URL")
        #expect(store["isShared"] == .bool(true))
        #expect(tree["exitCodes"]?.elements?.count == ExitCode.allCases.count)
    }
}
