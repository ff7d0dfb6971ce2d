import Foundation
import StoreTestSupport
import Testing

@testable import StoreCommands

/// What shells complete.
@Suite struct CompletionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What bash offers for the last word of a line.
    private func offered(_ line: String) async throws -> [String] {
        let script = try folder.write("openstore.bash", CompletionShell.bash.script)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
            .map { "'\($0)'" }
        let (status, output) = try await ChildProgram.run(
            "/bin/bash",
            [
                "-c",
                """
                source '\(script.path)'
                COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
                _openstore
                printf '%s\\n' "${COMPREPLY[@]}"
                """,
            ])
        #expect(status == 0)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        arguments: [
            ("openstore ap", ["app", "api-key"]), ("openstore app ver", ["version"]),
            ("openstore app version re", ["release", "remove", "return"]),
            ("openstore app create --b", ["--bundle-id"]),
            ("openstore purchase revoke 7 --reason ", ["developerIssue", "other"]),
            ("openstore purchase list --js", ["--json"]), ("openstore nothing x", []),
            // A name is anybody's guess, a file is the shell's.
            ("openstore app create --name ", []), ("openstore content build ", []),
        ] as [(String, [String])])
    func `bash completes words, options and values`(_ line: String, _ words: [String]) async throws
    {
        let offered = try await offered(line)
        if words.isEmpty {
            #expect(offered.isEmpty)
        } else {
            #expect(Set(offered).isSuperset(of: words))
            let last = String(
                line.split(separator: " ", omittingEmptySubsequences: false).last ?? "")
            #expect(offered.allSatisfy { $0.hasPrefix(last) })
        }
    }

    @Test func `bash completes a value behind an equals sign`() async throws {
        #expect(
            try await offered("openstore purchase revoke --reason =") == [
                "developerIssue", "other",
            ])
        #expect(try await offered("openstore purchase revoke --reason = o") == ["other"])
    }

    /// Programs that check a script's syntax: the shell itself where it is installed. What zsh
    /// gets is also in bash's syntax.
    private static func checker(of shell: CompletionShell) -> String? {
        let places = ["/usr/bin/\(shell.rawValue)", "/bin/\(shell.rawValue)"]
        let own = places.first { FileManager.default.isExecutableFile(atPath: $0) }
        return own ?? (shell == .fish ? nil : "/bin/bash")
    }

    @Test(arguments: CompletionShell.allCases)
    func `a shell can read its script`(_ shell: CompletionShell) async throws {
        let script = shell.script
        for command in CommandTree.commands {
            #expect(script.contains(command.spec.words.joined(separator: " ")))
        }
        guard let checker = Self.checker(of: shell) else {
            // Fish: a quote has its end on the same line.
            for line in script.split(separator: "\n") where line.hasPrefix("complete ") {
                let bare = line.replacing("\\\\", with: "").replacing("\\'", with: "")
                #expect(bare.count { $0 == "'" }.isMultiple(of: 2), "\(line)")
            }
            return
        }
        let file = try folder.write("script", script)
        let (status, output) = try await ChildProgram.run(checker, ["-n", file.path])
        #expect(status == 0, "\(String(decoding: output, as: UTF8.self))")
    }

    @Test func `values are offered where the help lists all of them`() {
        func choices(_ value: String) -> [String] {
            CommandSpec.Option.value("x", value, "X.").choices
        }
        #expect(choices("on|off") == ["on", "off"])
        #expect(choices("3|5|15") == ["3", "5", "15"])
        #expect(choices("LEGAL|OTHER") == ["LEGAL", "OTHER"])
        #expect(choices("ADDRESS|none") == [])
        #expect(choices("DIR|FILE.tar") == [])
        #expect(choices("FILE") == [])
        #expect(choices("on|") == [])
    }
}
