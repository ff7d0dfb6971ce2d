import Foundation

/// Metrics as Prometheus reads them: the text format, version 0.0.4.
struct MetricsText: Sendable {
    enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Says what the values are that follow.
    mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func value(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: Double) {
        text += name
        if !labels.isEmpty {
            let list = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
            text += "{" + list.joined(separator: ",") + "}"
        }
        text += " \(Self.number(value))\n"
    }

    mutating func value(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: Int) {
        self.value(name, labels, Double(value))
    }

    /// A metric without labels, with what it is.
    mutating func single(
        _ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: Double
    ) {
        begin(name, kind, help)
        self.value("\(name)", [:], value)
    }

    /// The lines of one histogram.
    ///
    /// - Parameter counts: how many were up to each bound, and above the last; not added up.
    mutating func histogram(
        _ name: StaticString, label: (String, String)?, bounds: [Double], counts: [Int], sum: Double
    ) {
        func labels(_ more: String) -> String {
            let first = label.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
            let list = [first, more.isEmpty ? nil : more].compactMap(\.self)
            return list.isEmpty ? "" : "{" + list.joined(separator: ",") + "}"
        }
        var total = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = bounds.indices.contains(index) ? Self.number(bounds[index]) : "+Inf"
            text += "\(name)_bucket\(labels("le=\"\(bound)\"")) \(total)\n"
        }
        text += "\(name)_sum\(labels("")) \(Self.number(sum))\n"
        text += "\(name)_count\(labels("")) \(total)\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing(scalar: "\\", with: "\\\\")
            .replacing(scalar: "\"", with: "\\\"")
            .replacing(scalar: "\n", with: "\\n")
    }
}
