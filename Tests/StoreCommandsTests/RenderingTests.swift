import Foundation
import StoreModel
import Testing

@testable import StoreCommands

@Suite struct Rendering {
    private let plain = Output(isTerminal: false, hasColor: false)

    @Test func `columns are as wide as their widest cell, wide characters included`() {
        var table = Table(["NAME", "PRICE"], rightAligned: [1])
        table.rows = [["第一章", "¥120"], ["One", "$0.99"]]
        #expect(
            table.text(on: plain)
                == "NAME    PRICE\n第一章   ¥120\nOne     $0.99\n")
    }

    @Test func `what cells say to the terminal does not reach it`() {
        var table = Table(["NAME"])
        table.rows = [["a\u{1B}[2Jb"], ["c\nd\u{9B}e\u{7F}"]]
        let text = table.text(on: plain)
        #expect(text == "NAME\na\u{FFFD}[2Jb\nc\u{FFFD}d\u{FFFD}e\u{FFFD}\n")
    }

    @Test(
        arguments: [
            (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (1_400_000, "1.4 MB"),
            (999_999, "1.0 MB"), (2_000_000_000, "2.0 GB"),
        ] as [(Int64, String)])
    func `sizes are short`(_ bytes: Int64, _ text: String) {
        #expect(formattedBytes(bytes) == text)
    }

    @Test(arguments: [(0.2, "0:01"), (61.0, "1:01"), (3600.0, "60:00")] as [(Double, String)])
    func `durations are minutes and seconds`(_ seconds: Double, _ text: String) {
        #expect(formattedDuration(seconds) == text)
    }

    @Test func `colour is for terminals`() {
        #expect(plain.styled("text", .bold) == "text")
        let terminal = Output(isTerminal: true, hasColor: true)
        let styled = terminal.rendered("a " + terminal.styled("text", .bold) + " b")
        #expect(styled == "a \u{1b}[1mtext\u{1b}[0m b")
    }

    @Test(arguments: [
        ("a\u{1b}[2Jb", "a\u{FFFD}[2Jb"), ("\u{1b}[1mbold", "\u{FFFD}[1mbold"),
        ("\u{9b}1A\u{202E}c\r", "\u{FFFD}1Ac\u{FFFD}"), ("line\n\tline\n", "line\n\tline\n"),
    ])
    func `what a store says does not steer the terminal`(text: String, shown: String) {
        #expect(plain.rendered(text) == shown)
        #expect(Output(isTerminal: true, hasColor: true).rendered(text) == shown)
    }

    @Test func `JSON says the same without steering a terminal`() throws {
        let text = "a\u{1b}[2J\u{7f}\u{9b}1A\u{202E}b\u{2028}\u{e0041}\u{ad}\"\\ é 日本\n"
        let json = String(decoding: try JSONEncoder().encode([text: text]), as: UTF8.self)
        let escaped = Output.escaped(json: json)
        #expect(escaped == escaped.terminalText())
        let read = try JSONDecoder().decode([String: String].self, from: Data(escaped.utf8))
        #expect(read == [text: text])
    }
}
