import Foundation
import Testing

@testable import StoreCommands

/// The helps, as files that show each change of them: `make golden` writes them anew.
@Suite struct HelpGoldenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden/Help")

    /// What a terminal shows of each file: the overview, and for each noun its help and those of
    /// its commands.
    private static let texts: [String: String] = {
        var texts = ["openstore": shown(["--help"], CommandTree.overview)]
        for topic in HelpTopic.allCases {
            texts["openstore", default: ""] += "\n" + shown(["help", topic.rawValue], topic.text)
        }
        for noun in CommandTree.nouns {
            let beginnings = CompletionTree.beginnings.map(\.words)
                .filter { $0.first == noun.name }
            let all = beginnings + noun.commands.map { $0.spec.words }
            texts[noun.name] = all.map { words in
                shown(words + ["--help"], (try? CommandTree.help(words)) ?? "no help")
            }.joined(separator: "\n")
        }
        return texts
    }()

    private static func shown(_ words: [String], _ text: String) -> String {
        "$ openstore \(words.joined(separator: " "))\n\(text)"
    }

    @Test(arguments: texts.keys.sorted())
    func `the helps of a noun are what its file says`(_ name: String) throws {
        let file = Self.folder.appendingPathComponent("\(name).txt")
        let text = try #require(Self.texts[name])
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
            try FileManager.default.createDirectory(
                at: Self.folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        #expect(text == golden, "make golden writes \(file.lastPathComponent) anew")
    }

    @Test func `there is no file of a noun that is gone`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let known = Set(Self.texts.keys.map { "\($0).txt" })
        for file in files where !known.contains(file) {
            if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
                try FileManager.default.removeItem(at: Self.folder.appendingPathComponent(file))
            } else {
                Issue.record("\(file) is of no noun")
            }
        }
    }
}
