import Foundation

/// What a page says to programs in the words of schema.org: JSON within a script element.
///
/// Nothing in it can end the element or begin another one, whatever texts it holds.
package indirect enum StructuredData: Sendable, Hashable {
    case text(String)
    case number(Double)
    case whole(Int)
    case list([StructuredData])
    /// Values of nil are left out.
    case object([Member])

    package struct Member: Sendable, Hashable {
        let name: String
        let value: StructuredData?

        init(_ name: String, _ value: StructuredData?) {
            self.name = name
            self.value = value
        }

        init(_ name: String, _ text: String?) {
            self.init(name, text.flatMap { $0.isEmpty ? nil : .text($0) })
        }
    }

    package func write(into output: inout String) {
        switch self {
        case .text(let text): Self.write(text, into: &output)
        case .number(let number): output += number.isFinite ? String(number) : "0"
        case .whole(let number): output += String(number)
        case .list(let values):
            output += "["
            for (index, value) in values.enumerated() {
                if index > 0 { output += "," }
                value.write(into: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            var isFirst = true
            for member in members {
                guard let value = member.value else { continue }
                if !isFirst { output += "," }
                isFirst = false
                Self.write(member.name, into: &output)
                output += ":"
                value.write(into: &output)
            }
            output += "}"
        }
    }

    private static func write(_ text: String, into output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "<", ">", "&", "'", "\u{2028}", "\u{2029}": escape(scalar, into: &output)
            default:
                if scalar.properties.generalCategory == .control {
                    escape(scalar, into: &output)
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        output += "\""
    }

    private static func escape(_ scalar: Unicode.Scalar, into output: inout String) {
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
