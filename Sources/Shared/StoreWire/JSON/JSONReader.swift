import Foundation

extension JSONValue {
    /// Reads JSON (RFC 8259) that may come from anybody.
    ///
    /// Names that occur twice, texts that are not Unicode and numbers that no `Double` can
    /// hold are refused too: programs read such documents differently.
    ///
    /// - Parameter depth: how far arrays and objects may be nested.
    /// - Throws: `WireFormatError` that says at which byte.
    package init(reading data: Data, depth: Int = 32) throws {
        do {
            self = try JSONReader.document(in: data, depth: depth)
        } catch {
            throw WireFormatError("there is \(error.what) at byte \(error.position)")
        }
    }

    /// The number of the first line with a syntax error, counted from 1. Nil if the text is valid JSON.
    ///
    /// On Linux Foundation's decoder does not tell where it stopped.
    package static func brokenLine(in data: Data) -> Int? {
        // Foundation's decoder passes over a byte order mark.
        let mark = Data([0xEF, 0xBB, 0xBF])
        let text = data.starts(with: mark) ? data.dropFirst(mark.count) : data
        do {
            _ = try JSONReader.document(in: text, depth: 512)
            return nil
        } catch {
            return text.prefix(error.position).count { $0 == UInt8(ascii: "\n") } + 1
        }
    }
}

/// Reads one document.
private struct JSONReader {
    /// What breaks the rules of JSON, and at which byte.
    struct SyntaxError: Error {
        let what: String
        let position: Int
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    static func document(in data: Data, depth: Int) throws(SyntaxError) -> JSONValue {
        try [UInt8](data).withUnsafeBufferPointer { bytes throws(SyntaxError) in
            var reader = JSONReader(bytes)
            let value = try reader.value(depth: depth)
            try reader.end()
            return value
        }
    }

    private mutating func end() throws(SyntaxError) {
        skipSpace()
        guard position == bytes.count else { throw broken("more than one value") }
    }

    private mutating func value(depth: Int) throws(SyntaxError) -> JSONValue {
        skipSpace()
        guard position < bytes.count else { throw broken("the end, where a value is wanted") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(SyntaxError) -> JSONValue {
        guard depth > 0 else { throw broken("too many levels") }
        position += 1
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw broken("no name of a member")
            }
            let name = try string()
            guard take(UInt8(ascii: ":")) else { throw broken("no colon behind a name") }
            let value = try value(depth: depth - 1)
            guard members.updateValue(value, forKey: name) == nil else {
                throw broken("a name that was there before")
            }
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw broken("no end of an object") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(SyntaxError) -> JSONValue {
        guard depth > 0 else { throw broken("too many levels") }
        position += 1
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat { elements.append(try value(depth: depth - 1)) } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw broken("no end of an array") }
        return .array(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(SyntaxError)
        -> JSONValue
    {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count,
            (0..<count).allSatisfy({ bytes[position + $0] == word.utf8Start[$0] })
        else { throw broken("an unknown word") }
        position += count
        return value
    }

    private mutating func number() throws(SyntaxError) -> Double {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) {
            guard digits() > 0 else { throw broken("no value") }
        }
        if skip(UInt8(ascii: ".")) {
            guard digits() > 0 else { throw broken("no digit behind the point") }
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw broken("no digit in the exponent") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw broken("a number out of range")
        }
        return number
    }

    private mutating func string() throws(SyntaxError) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let slice = UnsafeBufferPointer(rebasing: bytes[start..<position])
                guard let text = String(validating: slice, as: UTF8.self) else {
                    throw broken("a text that is not UTF-8")
                }
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw broken("a control character in a text") }
            position += 1
        }
        throw broken("no end of a text")
    }

    private mutating func escapedString(from start: Int) throws(SyntaxError) -> String {
        var units = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") {
                guard let text = String(validating: units, as: UTF8.self) else {
                    throw broken("a text that is not UTF-8")
                }
                return text
            }
            guard byte >= 0x20 else { throw broken("a control character in a text") }
            if byte == UInt8(ascii: "\\") {
                units.append(contentsOf: String(Character(try escape())).utf8)
            } else {
                units.append(byte)
            }
        }
        throw broken("no end of a text")
    }

    /// What stands for the letters behind a backslash.
    private mutating func escape() throws(SyntaxError) -> Unicode.Scalar {
        guard position < bytes.count else { throw broken("no end of a text") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try hexadecimal()
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard (0xD800..<0xDC00).contains(first), skip(UInt8(ascii: "\\")),
                skip(UInt8(ascii: "u"))
            else { throw broken("half a character") }
            let second = try hexadecimal()
            guard (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw broken("half a character") }
            return scalar
        default: throw broken("an unknown escape")
        }
    }

    private mutating func hexadecimal() throws(SyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw broken("no end of a text") }
        let slice = bytes[position..<position + 4]
        guard slice.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }),
            let number = UInt32(String(decoding: slice, as: UTF8.self), radix: 16)
        else { throw broken("an unknown escape") }
        position += 4
        return number
    }

    private mutating func digits() -> Int {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position - start
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Passes over space and the byte behind it, if it is the wanted one.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        return skip(byte)
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private func broken(_ what: String) -> SyntaxError {
        SyntaxError(what: what, position: position)
    }
}
