import Foundation
import StoreServer
import Synchronization
import Testing

@Suite struct EventLogTests {
    private func line(
        _ event: String, _ fields: KeyValuePairs<String, String> = [:],
        level: EventLog.Level = .info
    ) -> String {
        let lines = Lines()
        let log = EventLog(clock: { Date(timeIntervalSince1970: 1_800_000_000.5) }) { line in
            lines.list.withLock { $0.append(line) }
        }
        log.write(level, named: event, fields)
        return lines.list.withLock { $0.joined(separator: "\n") }
    }

    private final class Lines: Sendable {
        let list = Mutex<[String]>([])
    }

    /// What a value is written as.
    private func written(_ value: String) -> String {
        line("e", ["v": value]).components(separatedBy: " v=").dropFirst().joined(separator: " v=")
    }

    @Test func `a line tells time, level and event, then the fields in order`() {
        #expect(
            line("started", ["port": "80", "a": "b"], level: .warning)
                == "time=2027-01-15T08:00:00.500Z level=warning event=started port=80 a=b")
        #expect(line("request failed").hasSuffix(#" level=info event="request failed""#))
    }

    @Test(arguments: ["plain", "/a/b?c", "1.5", "a-b_c.d", "{}", #"a\b"#])
    func `a plain value stands as it is`(value: String) {
        #expect(written(value) == value)
    }

    @Test(arguments: [
        ("", #""""#), ("two words", #""two words""#), ("a=b", #""a=b""#),
        (#"say "hi""#, #""say \"hi\"""#), (#"a \ b"#, #""a \\ b""#), ("日本", "\"日本\""),
    ])
    func `any other value is quoted`(value: String, text: String) {
        #expect(written(value) == text)
    }

    @Test(arguments: [
        "\n", "\r", "\r\n", "\t", "\0", "\u{1b}", "\u{7f}", "\u{85}", "\u{9b}", "\u{2028}",
        "\u{2029}", "\u{b}", "\u{c}", "\u{202e}", "\u{ad}", "\u{feff}",
    ])
    func `nobody can write a line of their own`(separator: String) {
        let forged = "x\(separator)time=2027 level=error event=forged"
        let line = line("e", ["path": forged, "next": "n"])
        let controls = line.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        #expect(controls.isEmpty)
        // All of it is inside the quotes.
        #expect(line.hasSuffix(#"time=2027 level=error event=forged" next=n"#))
        #expect(line.contains(#"path="x\"#))
    }

    @Test func `nobody can leave the quotes`() {
        #expect(
            written(#"x" level=error y=""#) == #""x\" level=error y=\"""#)
        #expect(written(#"x\" level=error"#) == #""x\\\" level=error""#)
    }

    @Test func `an event's name is quoted too`() {
        #expect(line("a\nb").hasSuffix(#"event="a\nb""#))
    }
}
