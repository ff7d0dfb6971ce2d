import Foundation
import Testing

@testable import StoreCommands

@Suite struct Parsing {
    private let spec = CommandSpec(
        words: ["thing", "make"], summary: "Make a thing.",
        arguments: [.init(name: "NAME", help: "Its name.")],
        options: [.value("output", "FILE", "Where to."), .flag("json", "Write JSON.")])

    @Test func `options may stand anywhere, with a space or an equals sign`() throws {
        for words in [["a", "--output", "f", "--json"], ["--json", "--output=f", "a"]] {
            let parsed = try ParsedArguments(words, for: spec)
            #expect(parsed.argument(0) == "a")
            #expect(parsed["output"] == "f")
            #expect(parsed.has("json"))
        }
        #expect(try ParsedArguments(["a", "-o", "f"], for: spec)["output"] == "f")
    }

    @Test func `what follows two hyphens is no option`() throws {
        #expect(try ParsedArguments(["--", "--json"], for: spec).argument(0) == "--json")
    }

    @Test(
        arguments: [
            (["a", "b"], "one argument too many"), ([], "NAME is missing"),
            (["a", "--nope"], "unknown option --nope\nUsage"),
            (["a", "--outptu", "f"], "did you mean --output?"),
            (["a", "--output"], "needs a value"),
            (["a", "--json=yes"], "takes no value"),
        ] as [([String], String)])
    func `a wrong line is refused with what is wrong`(_ words: [String], _ text: String) {
        let error = #expect(throws: UsageError.self) {
            try ParsedArguments(words, for: spec)
        }
        #expect(error?.description.contains(text) == true)
    }

    @Test func `a hyphen and h is the help`() throws {
        #expect(try ParsedArguments(["-h"], for: spec).has("help"))
    }

    @Test func `every command explains itself`() {
        for command in CommandTree.commands {
            #expect(command.spec.help.hasPrefix(command.spec.summary))
            #expect(command.spec.help.contains("--help"))
            #expect(command.spec.summary.hasSuffix("."))
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:0", "::1", 0), (":8080", "0.0.0.0", 8080),
        ] as [(String, String, Int)])
    func `an address to listen on has host and port`(
        _ text: String, _ host: String, _ port: Int
    ) throws {
        let parsed = try ServeCommand.listening(text)
        #expect(parsed.0 == host && parsed.1 == UInt16(port))
    }
}
