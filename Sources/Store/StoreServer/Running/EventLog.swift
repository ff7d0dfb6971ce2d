import Foundation
import StoreKernel
import StoreModel
import Synchronization

/// The structured log: one line of `key=value` pairs for each event.
package struct EventLog: Sendable {
    package enum Level: String, Sendable, CaseIterable {
        case info
        case warning
        case error
    }

    private let levels: Set<Level>
    private let sink: @Sendable (String) -> Void
    private let clock: @Sendable () -> Date

    /// - Parameter levels: those that are written.
    package init(
        clock: @escaping @Sendable () -> Date = { Date() },
        levels: Set<Level> = Set(Level.allCases),
        sink: @escaping @Sendable (String) -> Void
    ) {
        self.levels = levels
        self.clock = clock
        self.sink = sink
    }

    /// Writes to standard error. A line that can't be written is lost: a store goes on without
    /// its log.
    package static let standardError: EventLog = standardError(Set(Level.allCases))

    /// The same with some levels only.
    package static func standardError(_ levels: Set<Level>) -> EventLog {
        EventLog(levels: levels) { StandardError.write($0 + "\n") }
    }

    /// Writes nowhere.
    package static let silent: EventLog = EventLog { _ in }

    package func write(
        _ level: Level, _ event: LogEvent, _ fields: KeyValuePairs<String, String> = [:]
    ) {
        write(level, named: event.rawValue, fields)
    }

    /// - Parameter event: what has happened, quoted where it has to be.
    package func write(
        _ level: Level, named event: String, _ fields: KeyValuePairs<String, String> = [:]
    ) {
        guard levels.contains(level) else { return }
        let time = clock().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        var line = "time=\(time) level=\(level.rawValue) event=\(Self.quoted(event))"
        for (key, value) in fields { line += " \(key)=\(Self.quoted(value))" }
        sink(line)
    }

    /// The value in quotes where it holds anything but plain characters; what steers
    /// terminals is escaped, so that nobody can write lines of their own into the log.
    private static func quoted(_ value: String) -> String {
        let isPlain =
            !value.isEmpty
            && value.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"")
                    && byte != UInt8(ascii: "=")
            }
        if isPlain { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            default:
                if scalar.steersTerminals {
                    text += "\\u{\(String(scalar.value, radix: 16))}"
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text + "\""
    }
}
