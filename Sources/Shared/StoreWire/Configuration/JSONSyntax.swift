import Foundation

/// Finds the place where a text stops being JSON (RFC 8259).
///
/// On Linux Foundation's decoder does not tell where it stopped.
package struct JSONSyntax {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ data: Data) {
        bytes = Array(data)
    }

    /// The line, counted from 1, with the first byte that no JSON has there; nil where the
    /// text is JSON.
    package static func brokenLine(in data: Data) -> Int? {
        var syntax = JSONSyntax(data)
        if syntax.value(depth: 0) {
            syntax.skipSpace()
            if syntax.position == syntax.bytes.count { return nil }
        }
        let before = syntax.bytes.prefix(syntax.position)
        return before.count { $0 == UInt8(ascii: "\n") } + 1
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return depth < 512 && members("}", depth: depth)
        case UInt8(ascii: "["): return depth < 512 && members("]", depth: depth)
        case UInt8(ascii: "\""): return string()
        default: return word()
        }
    }

    /// The inside of an object or array, from its bracket to the closing one.
    private mutating func members(_ end: Unicode.Scalar, depth: Int) -> Bool {
        position += 1
        skipSpace()
        if take(end) { return true }
        repeat {
            if end == "}" {
                skipSpace()
                guard string() else { return false }
                skipSpace()
                guard take(":") else { return false }
            }
            guard value(depth: depth + 1) else { return false }
            skipSpace()
        } while take(",")
        return take(end)
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let byte = current, byte >= 0x20 {
            position += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\"), current != nil { position += 1 }
        }
        return false
    }

    /// `true`, `false`, `null` or a number.
    private mutating func word() -> Bool {
        let start = position
        while let byte = current, byte > 0x20, !",:{}[]\"".utf8.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let number = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
        if ["true", "false", "null"].contains(text) || text.wholeMatch(of: number) != nil {
            return true
        }
        position = start
        return false
    }
}
