import Foundation

/// JSON whose members keep their order, written so that it may stand in a script, and in a page
/// that somebody makes of it: no tag can begin or end in it, and no line of JavaScript.
enum ScriptJSON: Sendable {
    case text(String)
    /// A number as it is to be written.
    case number(String)
    case flag(Bool)
    case list([ScriptJSON])
    case object([(name: String, value: ScriptJSON)])

    static func integer(_ number: some BinaryInteger) -> ScriptJSON { .number(String(number)) }

    static func texts(_ texts: [String]) -> ScriptJSON { .list(texts.map(ScriptJSON.text)) }

    /// The value as UTF-8, on one line.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): Self.write(text, to: &bytes)
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
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// What may stand as it is goes over in whole runs.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { source in
            var start = 0
            var index = 0
            while index < source.count {
                let length = lengthToEscape(source, at: index)
                guard length > 0 else {
                    index += 1
                    continue
                }
                bytes.append(contentsOf: source[start..<index])
                escape(source[index..<index + length], to: &bytes)
                index += length
                start = index
            }
            bytes.append(contentsOf: source[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// How many bytes of UTF-8 from an index on may not stand as they are.
    private static func lengthToEscape(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        switch source[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x7F, UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "&"):
            1
        // U+2028 and U+2029, where lines of JavaScript end, are E2 80 A8 and E2 80 A9.
        case 0xE2:
            source[index + 1] == 0x80
                && (source[index + 2] == 0xA8 || source[index + 2] == 0xA9) ? 3 : 0
        default: 0
        }
    }

    private static func escape(
        _ sign: Slice<UnsafeBufferPointer<UInt8>>, to bytes: inout [UInt8]
    ) {
        let byte = sign[sign.startIndex]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case 0xE2:
            bytes.append(contentsOf: (sign.last == 0xA8 ? "\\u2028" : "\\u2029").utf8)
        default:
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(hexadecimal[Int(byte >> 4)])
            bytes.append(hexadecimal[Int(byte & 15)])
        }
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)
}

/// The members of an object, added one after another; those without a value are left out.
struct ResultFields {
    private(set) var members: [(name: String, value: ScriptJSON)] = []

    var json: ScriptJSON { .object(members) }

    mutating func add(_ name: String, _ value: ScriptJSON?) {
        if let value { members.append((name, value)) }
    }

    mutating func add(_ name: String, text: String?) {
        add(name, text.map(ScriptJSON.text))
    }

    mutating func add(_ name: String, integer: (some BinaryInteger)?) {
        add(name, integer.map { .integer($0) })
    }

    /// A time as `2005-03-01T08:00:00Z`.
    mutating func add(_ name: String, time: Date?) {
        add(name, text: time?.formatted(.iso8601))
    }
}
