import Foundation

/// Reads an XML document piece by piece, in memory that does not grow with it.
///
/// It takes what data files consist of: elements, attributes, text, CDATA sections, comments
/// and processing instructions, in UTF-8. A document type is refused wherever it stands, so
/// that there are no entities but the five that XML has itself: nothing can be expanded,
/// fetched or defined.
package struct XMLScanner {
    private let read: () throws -> Data
    private let limits: XMLLimits
    private var buffer: [UInt8] = []
    private var index = 0
    private var isAtEnd = false
    /// Of the next byte, from 1.
    package private(set) var line = 1
    /// The elements that are open, the outermost first.
    package private(set) var path: [String] = []
    private var hasRoot = false
    private var hasBegun = false
    /// The end of an element that has no content.
    private var pendingEnd: XMLEvent?

    /// - Parameter read: gives the next bytes; none at the end.
    package init(limits: XMLLimits = XMLLimits(), read: @escaping () throws -> Data) {
        self.limits = limits
        self.read = read
    }

    package init(_ data: Data, limits: XMLLimits = XMLLimits()) {
        var rest: Data? = data
        self.init(limits: limits) {
            defer { rest = nil }
            return rest ?? Data()
        }
    }

    /// The next piece; nil behind the document.
    ///
    /// - Throws: `XMLProblem` where the document breaks the rules; nothing can be read then.
    package mutating func next() throws -> XMLEvent? {
        if let end = pendingEnd {
            pendingEnd = nil
            path.removeLast()
            return end
        }
        try begin()
        while let byte = try peek() {
            if byte != UInt8(ascii: "<") {
                if let text = try text() { return text }
                continue
            }
            let start = line
            try advance()
            switch try peek() {
            case UInt8(ascii: "/"): return try endTag(start)
            case UInt8(ascii: "?"): try instruction(start)
            case UInt8(ascii: "!"):
                if let text = try declaration(start) { return text }
            default: return try startTag(start)
            }
        }
        guard path.isEmpty else {
            throw problem("The document ends within <\(path.last ?? "")>.")
        }
        guard hasRoot else { throw problem("The document is empty.") }
        return nil
    }

    // MARK: Bytes

    private func problem(_ message: String, _ line: Int? = nil) -> XMLProblem {
        XMLProblem(line: line ?? self.line, message)
    }

    private mutating func peek() throws -> UInt8? {
        if index < buffer.count { return buffer[index] }
        guard !isAtEnd else { return nil }
        buffer = [UInt8](try read())
        index = 0
        isAtEnd = buffer.isEmpty
        return buffer.first
    }

    private mutating func advance() throws {
        guard let byte = try peek() else { return }
        if byte == UInt8(ascii: "\n") { line += 1 }
        index += 1
    }

    /// The next byte, which is taken.
    private mutating func take(_ within: String) throws -> UInt8 {
        guard let byte = try peek() else {
            throw problem("The document ends within \(within).")
        }
        try advance()
        return byte
    }

    private mutating func expect(_ text: StaticString, _ within: String) throws {
        for position in 0..<text.utf8CodeUnitCount {
            guard try take(within) == text.utf8Start[position] else {
                throw problem("There is something within \(within) that can't be there.")
            }
        }
    }

    private mutating func skipSpace() throws {
        while let byte = try peek(), Self.isSpace(byte) { try advance() }
    }

    /// The mark at the beginning of UTF-8 is passed over, those of other encodings refused.
    private mutating func begin() throws {
        guard !hasBegun else { return }
        hasBegun = true
        guard let first = try peek() else { return }
        if first == 0xEF {
            try expect("\u{FEFF}", "the byte order mark")
        } else if first >= 0xFE || first == 0 {
            throw problem("The document is not in UTF-8; save it as UTF-8.")
        }
    }

    // MARK: Text

    /// Character data up to the next tag; nil for space outside of the document's element.
    private mutating func text() throws -> XMLEvent? {
        let start = line
        var bytes: [UInt8] = []
        var brackets = 0
        while let byte = try peek(), byte != UInt8(ascii: "<") {
            if bytes.count >= limits.piece, byte & 0xC0 != 0x80 { break }
            try advance()
            switch byte {
            case UInt8(ascii: "&"): bytes += try reference()
            case UInt8(ascii: "\r"):
                // As XML has it: every end of a line is one character.
                if try peek() != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
            case UInt8(ascii: ">") where brackets >= 2:
                throw problem("There is ]]> outside of a CDATA section.")
            default: bytes.append(byte)
            }
            brackets = byte == UInt8(ascii: "]") ? brackets + 1 : 0
        }
        guard !path.isEmpty else {
            guard bytes.allSatisfy(Self.isSpace) else {
                throw problem(
                    "There is text outside of the document's element.", start)
            }
            return nil
        }
        return .text(try string(bytes, start), line: start)
    }

    /// What a reference behind an ampersand stands for.
    private mutating func reference() throws -> [UInt8] {
        var name: [UInt8] = []
        while true {
            let byte = try take("a reference")
            if byte == UInt8(ascii: ";") { break }
            guard name.count < 10, byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "<") else {
                throw problem("There is an & that begins no reference; write &amp;.")
            }
            name.append(byte)
        }
        let text = String(decoding: name, as: UTF8.self)
        switch text {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        guard text.hasPrefix("#") else {
            throw problem(
                "The entity &\(text); is unknown; only &amp; &lt; &gt; &quot; and &apos; are "
                    + "taken.")
        }
        let isHex = text.hasPrefix("#x")
        let digits = text.dropFirst(isHex ? 2 : 1)
        guard digits.allSatisfy(\.isHexDigit), !digits.isEmpty,
            let number = UInt32(digits, radix: isHex ? 16 : 10),
            let scalar = Unicode.Scalar(number), Self.isAllowed(scalar)
        else { throw problem("&\(text); is no character.") }
        return Array(String(Character(scalar)).utf8)
    }

    private func string(_ bytes: [UInt8], _ start: Int) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw problem("There are bytes that are not UTF-8.", start)
        }
        guard text.unicodeScalars.allSatisfy(Self.isAllowed) else {
            throw problem("There is a control character.", start)
        }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// XML 1.0, production 2.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    // MARK: Tags

    private mutating func name(_ within: String) throws -> String {
        var bytes: [UInt8] = []
        while let byte = try peek(), Self.isName(byte, isFirst: bytes.isEmpty) {
            guard bytes.count < limits.name else {
                throw problem("A name has more than \(limits.name) bytes.")
            }
            bytes.append(byte)
            try advance()
        }
        guard !bytes.isEmpty else { throw problem("A name is missing in \(within).") }
        return try string(bytes, line)
    }

    private static func isName(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            !isFirst
        default: false
        }
    }

    private mutating func startTag(_ start: Int) throws -> XMLEvent {
        guard !path.isEmpty || !hasRoot else {
            throw problem("There is a second element behind the document's.", start)
        }
        let name = try name("a tag")
        guard path.count < limits.depth else {
            throw problem("Elements are nested more than \(limits.depth) deep.", start)
        }
        var attributes: [String: String] = [:]
        while true {
            let hadSpace = try peek().map(Self.isSpace) ?? false
            try skipSpace()
            switch try peek() {
            case UInt8(ascii: ">"):
                try advance()
                open(name)
                return .start(XMLTag(name: name, attributes: attributes, line: start))
            case UInt8(ascii: "/"):
                try expect("/>", "<\(name)>")
                open(name)
                pendingEnd = .end(name: name, line: line)
                return .start(XMLTag(name: name, attributes: attributes, line: start))
            default:
                guard hadSpace else { throw problem("The tag <\(name)> is malformed.") }
                let (key, value) = try attribute(of: name)
                guard attributes.updateValue(value, forKey: key) == nil else {
                    throw problem("<\(name)> has the attribute \(key) twice.")
                }
                guard attributes.count <= limits.attributes else {
                    throw problem("<\(name)> has more than \(limits.attributes) attributes.")
                }
            }
        }
    }

    private mutating func open(_ name: String) {
        path.append(name)
        hasRoot = true
    }

    private mutating func attribute(of element: String) throws -> (String, String) {
        let key = try name("the tag <\(element)>")
        try skipSpace()
        try expect("=", "the attribute \(key)")
        try skipSpace()
        let quote = try take("the attribute \(key)")
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw problem("The value of \(key) is not in quotes.")
        }
        let start = line
        var bytes: [UInt8] = []
        while true {
            let byte = try take("the attribute \(key)")
            if byte == quote { break }
            switch byte {
            case UInt8(ascii: "<"): throw problem("There is a < in the value of \(key).")
            case UInt8(ascii: "&"): bytes += try reference()
            // XML turns every kind of space in a value into a blank.
            case 0x09, 0x0A, 0x0D: bytes.append(0x20)
            default: bytes.append(byte)
            }
            guard bytes.count <= limits.value else {
                throw problem("The value of \(key) has more than \(limits.value) bytes.")
            }
        }
        return (key, try string(bytes, start))
    }

    private mutating func endTag(_ start: Int) throws -> XMLEvent {
        try advance()
        let name = try name("an end tag")
        try skipSpace()
        try expect(">", "</\(name)>")
        guard let open = path.last else {
            throw problem("</\(name)> ends no element.", start)
        }
        guard open == name else {
            throw problem("<\(open)> is ended by </\(name)>.", start)
        }
        path.removeLast()
        return .end(name: name, line: start)
    }

    // MARK: What is not content

    /// What begins with `<!`: a comment, text in a CDATA section, or what is refused.
    private mutating func declaration(_ start: Int) throws -> XMLEvent? {
        try advance()
        switch try peek() {
        case UInt8(ascii: "-"):
            try comment()
            return nil
        case UInt8(ascii: "["): return try section(start)
        default:
            throw problem(
                "There is a document type or another declaration. It could define entities; take "
                    + "it out.", start)
        }
    }

    private mutating func comment() throws {
        try expect("--", "a comment")
        var hyphens = 0
        var count = 0
        while true {
            let byte = try take("a comment")
            if hyphens >= 2 {
                guard byte == UInt8(ascii: ">") else {
                    throw problem("There is -- within a comment.")
                }
                return
            }
            hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
            count += 1
            guard count <= limits.comment else {
                throw problem("A comment has more than \(limits.comment) bytes.")
            }
        }
    }

    /// The text of a CDATA section.
    private mutating func section(_ start: Int) throws -> XMLEvent? {
        try expect("[CDATA[", "a CDATA section")
        guard !path.isEmpty else {
            throw problem("There is text outside of the document's element.", start)
        }
        var bytes: [UInt8] = []
        while true {
            bytes.append(try take("a CDATA section"))
            if bytes.suffix(3).elementsEqual("]]>".utf8) { break }
            guard bytes.count <= limits.piece * 4 else {
                throw problem(
                    "A CDATA section has more than \(limits.piece * 4) bytes.", start)
            }
        }
        let text = try string(Array(bytes.dropLast(3)), start)
        return text.isEmpty
            ? nil : .text(text.replacingOccurrences(of: "\r\n", with: "\n"), line: start)
    }

    private mutating func instruction(_ start: Int) throws {
        try advance()
        let target = try name("a processing instruction")
        var bytes: [UInt8] = []
        while true {
            bytes.append(try take("a processing instruction"))
            if bytes.suffix(2).elementsEqual("?>".utf8) { break }
            guard bytes.count <= limits.value else {
                throw problem("A processing instruction has more than \(limits.value) bytes.")
            }
        }
        guard target.lowercased() == "xml" else { return }
        let text = try string(Array(bytes.dropLast(2)), start)
        guard start == 1, !hasRoot, text.hasPrefix(" ") else {
            throw problem("The XML declaration is not at the beginning.", start)
        }
        let encoding = text.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/)?.1.uppercased()
        guard encoding == nil || encoding == "UTF-8" || encoding == "US-ASCII" else {
            throw problem("The document is not in UTF-8; save it as UTF-8.", start)
        }
    }
}
