import Foundation
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
        #expect(terminal.styled("text", .bold) == "\u{1b}[1mtext\u{1b}[0m")
    }
}
