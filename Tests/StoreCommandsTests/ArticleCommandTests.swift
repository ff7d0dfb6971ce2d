import Foundation
import Testing

@testable import StoreCommands

/// The commands that documentation shows are commands that there are.
@Suite struct ArticleCommands {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let files: [String] = {
        let folder = "Sources/Client/StoreKit/StoreKit.docc"
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path)
        return ["README.md", "Scripts/with-store.sh"]
            + (names ?? []).sorted().filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }()

    /// The words after `openstore` on each line of a block, or of a script, that calls it.
    private func calls(in file: String) throws -> [[String]] {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
        var isCommand = file.hasSuffix(".sh")
        return text.replacingOccurrences(of: "\\\n", with: " ").split(separator: "\n")
            .compactMap { line in
                if line.hasPrefix("```") {
                    isCommand = line == "```shell" || line == "```sh"
                    return nil
                }
                guard isCommand, let start = line.range(of: "openstore "),
                    line[..<start.lowerBound].allSatisfy({ " |$".contains($0) })
                        || line[..<start.lowerBound].hasSuffix("| ")
                else { return nil }
                let call = line[start.upperBound...].prefix { !"|>&#;)".contains($0) }
                return call.split(separator: " ").map(String.init)
            }
    }

    @Test(arguments: files)
    func `each command is known and takes these arguments`(_ file: String) throws {
        for words in try calls(in: file) {
            let command = try #require(
                CommandRunner.commands.first { words.starts(with: $0.spec.words) },
                "\(file): openstore \(words.joined(separator: " "))")
            let arguments = Array(words.dropFirst(command.spec.words.count))
            #expect(throws: Never.self, "\(file): openstore \(words.joined(separator: " "))") {
                try ParsedArguments(arguments, for: command.spec)
            }
        }
    }

    @Test func `articles show commands`() throws {
        let shown = try Self.files.filter { $0.hasSuffix(".md") }.flatMap { try calls(in: $0) }
        #expect(shown.count > 20)
    }
}
