import Foundation
import Testing

@testable import StoreCommands

/// What a command does nothing without.
@Suite struct RequiredOptionTests {
    @Test func `all that is missing is named at once`() {
        for command in CommandTree.commands {
            let spec = command.spec
            let names =
                spec.arguments.filter { !$0.isOptional }.map(\.name)
                + spec.options.filter(\.isRequired).map { "--\($0.name)" }
                + [spec.rest].compactMap(\.self).filter { !$0.isOptional }.map(\.name)
            guard !names.isEmpty else { continue }
            let error = #expect(throws: UsageError.self, "\(spec.words)") {
                try ParsedArguments([], for: spec)
            }
            let first = error?.description.split(separator: "\n").first ?? ""
            for name in names { #expect(first.contains(name), "\(spec.words): \(first)") }
        }
    }

    @Test func `usage shows what is required first, and without brackets`() {
        let usage = AppCreate.spec.usage.split { $0.isWhitespace }.joined(separator: " ")
        #expect(
            usage
                == "openstore app create --bundle-id ID --name NAME [--sku SKU] "
                + "[--language LOCALE]")
        #expect(AppCreate.spec.help.contains("openstore help options"))
        #expect(!AppCreate.spec.help.contains("--json  "))
    }

    /// Options that only others make necessary.
    private static let conditional: Set = ["title", "duration", "group"]

    @Test func `what a command demands is what its help calls required`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/Commands/StoreCommands")
        let marked = Set(
            CommandTree.commands.flatMap { $0.spec.options }.filter(\.isRequired).map(\.name))
        let files = FileManager.default.enumerator(atPath: sources.path)
        var count = 0
        while let file = files?.nextObject() as? String {
            guard file.hasSuffix(".swift") else { continue }
            let text = try String(
                contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
            for part in text.components(separatedBy: ".required(").dropFirst() {
                let words = part.trimmingCharacters(in: .whitespacesAndNewlines)
                guard words.hasPrefix("\"") else { continue }
                let name = String(words.dropFirst().prefix { $0 != "\"" })
                count += 1
                #expect(
                    marked.contains(name) || Self.conditional.contains(name),
                    "\(file): --\(name) is not marked as required anywhere")
            }
        }
        #expect(count > 30)
    }

    // MARK: Asking

    private let spec = CommandSpec(
        words: ["thing", "make"], summary: "Make a thing.",
        arguments: [.init(name: "NAME", help: "Its name.")],
        options: [
            .value("size", "N", "How large.").asRequired,
            .value("color", "WORD", "Which color.").asRequired, .json, .quiet,
        ])

    @Test func `what is missing is asked for, in its order`() throws {
        var asked: [String] = []
        let parsed = try ParsedArguments(
            ["--color", "red"], for: spec,
            ask: { name, help in
                asked.append("\(name) \(help)")
                return name == "NAME" ? "box" : "7"
            })
        #expect(asked == ["NAME Its name.", "--size How large."])
        #expect(parsed.argument(0) == "box")
        #expect(try parsed.required("size") == "7")
        #expect(try parsed.required("color") == "red")
    }

    @Test func `who answers nothing is told all that is missing`() {
        let error = #expect(throws: UsageError.self) {
            try ParsedArguments([], for: spec, ask: { name, _ in name == "NAME" ? "box" : nil })
        }
        #expect(error?.description.hasPrefix("--size and --color are missing\n") == true)
    }

    @Test(arguments: ["--json", "--quiet"])
    func `nothing is asked where a program reads the answer`(_ flag: String) {
        var asked = 0
        let error = #expect(throws: UsageError.self) {
            try ParsedArguments(
                [flag], for: spec,
                ask: { _, _ in
                    asked += 1
                    return "x"
                })
        }
        #expect(asked == 0)
        #expect(error?.description.hasPrefix("NAME, --size and --color are missing\n") == true)
    }
}
