/// JSON for scripts, whose members keep their order (`JSONString.Purpose.script`).
package enum ScriptJSON: Sendable {
    case text(String)
    /// A number as it is to be written.
    case number(String)
    case flag(Bool)
    case list([ScriptJSON])
    case object([(name: String, value: ScriptJSON)])

    package static func integer(_ number: some BinaryInteger) -> ScriptJSON {
        .number(String(number))
    }

    package static func texts(_ texts: [String]) -> ScriptJSON { .list(texts.map(ScriptJSON.text)) }

    /// The value as UTF-8, on one line.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): JSONString.write(text, to: &bytes, for: .script)
        case .number(let number): bytes.append(contentsOf: number.utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .list(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONString.write(member.name, to: &bytes, for: .script)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}
