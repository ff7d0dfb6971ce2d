import Foundation

/// Reads XML 1.0 in UTF-8, one tag or text after the other.
///
///     var reader = MarkupReader(file: file)
///     while let event = try reader.next() { … }
///
/// What stands outside of elements, comments and instructions are passed over. Document type
/// declarations are refused, so there is nothing that expands, and nothing that is fetched;
/// what one tag and one text may cost is limited. Names are ASCII, as in the files that are
/// read with this. At most one piece of the file and the open elements' names are in memory.
package struct MarkupReader {
    private let limits: MarkupLimits
    private var bytes: MarkupBytes
    private var text: MarkupText
    private var open: [String] = []
    /// What comes next, because a text or an opening tag stood before it.
    private var held: [MarkupEvent] = []
    private var hasBegun = false
    private var hasRoot = false

    /// - Parameter read: gives the next bytes of the document; none at its end.
    package init(limits: MarkupLimits = MarkupLimits(), read: @escaping () throws -> [UInt8]) {
        self.limits = limits
        bytes = MarkupBytes(limit: limits.bytes, read: read)
        text = MarkupText(limit: limits.textBytes)
    }

    package init(limits: MarkupLimits = MarkupLimits(), bytes: [UInt8]) {
        var rest: [UInt8]? = bytes
        self.init(limits: limits) { rest.take() ?? [] }
    }

    /// - Parameter file: open for reading; closed by its owner.
    package init(limits: MarkupLimits = MarkupLimits(), file: FileHandle) {
        self.init(limits: limits) { try file.read(upToCount: 1 << 16).map(Array.init) ?? [] }
    }

    /// The line of what comes next, counted from 1.
    package var line: Int { bytes.line }

    /// How many bytes were read.
    package var position: Int { bytes.position }

    /// What comes next; nil behind the last element.
    ///
    /// - Throws: `MarkupError`, after which there is nothing more to read; or what reading
    ///   the bytes throws.
    package mutating func next() throws -> MarkupEvent? {
        if !held.isEmpty { return held.removeFirst() }
        if !hasBegun {
            try begin()
            if !held.isEmpty { return held.removeFirst() }
        }
        while let byte = try bytes.peek() {
            guard byte == UInt8(ascii: "<") else {
                try takeText()
                continue
            }
            if let event = try markup() {
                guard !text.isEmpty else { return event }
                held.insert(event, at: 0)
                return .text(try text.take(at: bytes.line))
            }
        }
        if let name = open.last {
            throw bytes.failure("the file ends inside <\(name)>, which must be closed")
        }
        guard hasRoot else { throw bytes.failure("the file holds no XML") }
        return nil
    }

    // MARK: The beginning

    /// The mark of UTF-8 and the declaration, which stand at the very beginning only.
    private mutating func begin() throws {
        hasBegun = true
        switch try bytes.peek() {
        case 0xEF:
            for expected: UInt8 in [0xEF, 0xBB, 0xBF] {
                guard try bytes.take() == expected else {
                    throw bytes.failure("the file does not begin with <")
                }
            }
        case 0xFE, 0xFF: throw bytes.failure("the file is UTF-16; save it in UTF-8")
        default: break
        }
        guard try bytes.peek() == UInt8(ascii: "<") else { return }
        _ = try bytes.take()
        guard try bytes.peek() == UInt8(ascii: "?") else {
            if let event = try markupBehindBracket() { held.insert(event, at: 0) }
            return
        }
        _ = try bytes.take()
        let target = try name()
        guard target == "xml" else { return try skipInstruction(target) }
        let fields = try attributes(until: UInt8(ascii: "?"))
        guard try bytes.need("the declaration") == UInt8(ascii: "?"),
            try bytes.need("the declaration") == UInt8(ascii: ">")
        else { throw bytes.failure("the declaration must end with ?>") }
        try check(declaration: fields)
    }

    private func check(declaration fields: [(name: String, value: String)]) throws {
        let order = ["version", "encoding", "standalone"]
        let places = fields.map { order.firstIndex(of: $0.name) }
        guard !places.contains(nil), places.compactMap({ $0 }).sorted() == places,
            fields.first?.name == "version", fields[0].value == "1.0"
        else {
            throw bytes.failure(
                "the declaration must be <?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        }
        for (name, value) in fields where name == "encoding" {
            guard ["utf-8", "us-ascii"].contains(value.lowercased()) else {
                throw bytes.failure(
                    "the encoding \(MarkupText.shown(value)) is not read; save the file in UTF-8")
            }
        }
        for (name, value) in fields where name == "standalone" {
            guard ["yes", "no"].contains(value) else {
                throw bytes.failure("standalone is yes or no")
            }
        }
    }

    // MARK: Text

    private mutating func takeText() throws {
        // The last bytes as they stand in the file: `]]>` ends a section, and is no text.
        var brackets = 0
        while let byte = try bytes.peek(), byte != UInt8(ascii: "<") {
            guard let byte = try bytes.take() else { return }
            guard !open.isEmpty else {
                guard [0x20, 0x09, 0x0A].contains(byte) else {
                    throw bytes.failure("text stands outside of the outermost element")
                }
                continue
            }
            if byte == UInt8(ascii: ">"), brackets >= 2 {
                throw bytes.failure("]]> is no text; write ]]&gt;")
            }
            brackets = byte == UInt8(ascii: "]") ? brackets + 1 : 0
            if byte == UInt8(ascii: "&") {
                let scalar = try entity()
                try text.append(scalar, at: bytes.line)
            } else {
                try text.append(byte, at: bytes.line)
            }
        }
    }

    /// From behind `&`.
    private mutating func entity() throws -> Unicode.Scalar {
        var name: [UInt8] = []
        while true {
            let byte = try bytes.need("an entity")
            if byte == UInt8(ascii: ";") { break }
            let isName =
                byte < 0x80
                && (Self.isName(byte) || byte == UInt8(ascii: "#"))
            guard isName, name.count < 12 else {
                throw bytes.failure("& begins an entity; write &amp; for the sign itself")
            }
            name.append(byte)
        }
        return try MarkupText.entity(String(decoding: name, as: UTF8.self), at: bytes.line)
    }

    // MARK: Tags

    private mutating func markup() throws -> MarkupEvent? {
        _ = try bytes.take()
        return try markupBehindBracket()
    }

    /// What follows `<`; nil where it is passed over.
    private mutating func markupBehindBracket() throws -> MarkupEvent? {
        let line = bytes.line
        switch try bytes.peek() {
        case UInt8(ascii: "!"):
            _ = try bytes.take()
            try declaration()
            return nil
        case UInt8(ascii: "?"):
            _ = try bytes.take()
            try skipInstruction(name())
            return nil
        case UInt8(ascii: "/"):
            _ = try bytes.take()
            return try endTag()
        default: return try startTag(line: line)
        }
    }

    private mutating func startTag(line: Int) throws -> MarkupEvent {
        let name = try name()
        guard !open.isEmpty || !hasRoot else {
            throw MarkupError(line: line, "a second outermost element begins; there is one")
        }
        hasRoot = true
        guard open.count < limits.depth else {
            throw MarkupError(
                line: line, "elements are nested more than \(limits.depth) deep; nest them less")
        }
        let fields = try attributes(until: UInt8(ascii: "/"))
        var end = try bytes.need("a tag")
        if end == UInt8(ascii: "/") {
            end = try bytes.need("a tag")
            held.append(.end(name: name))
        } else {
            open.append(name)
        }
        guard end == UInt8(ascii: ">") else {
            throw bytes.failure("the tag <\(name)> must end with >")
        }
        return .start(MarkupTag(name: name, attributes: fields, line: line))
    }

    private mutating func endTag() throws -> MarkupEvent {
        let name = try name()
        try bytes.skipSpace()
        guard try bytes.need("a tag") == UInt8(ascii: ">") else {
            throw bytes.failure("the tag </\(name)> must end with >")
        }
        guard let last = open.popLast() else {
            throw bytes.failure("</\(name)> closes what was never opened")
        }
        guard last == name else {
            throw bytes.failure("</\(name)> stands where </\(last)> must close <\(last)>")
        }
        return .end(name: name)
    }

    /// Attributes up to `>`, or a byte that may stand before it.
    private mutating func attributes(
        until end: UInt8
    ) throws -> [(name: String, value: String)] {
        let start = bytes.position
        var fields: [(name: String, value: String)] = []
        while true {
            let before = bytes.position
            try bytes.skipSpace()
            let hasSpace = bytes.position > before
            guard let byte = try bytes.peek() else {
                throw bytes.failure("the file ends inside a tag")
            }
            if byte == end || byte == UInt8(ascii: ">") { return fields }
            guard hasSpace else { throw bytes.failure("a space must stand before an attribute") }
            let name = try name()
            try bytes.skipSpace()
            guard try bytes.need("a tag") == UInt8(ascii: "=") else {
                throw bytes.failure("the attribute \(name) must have a value, as in \(name)=\"…\"")
            }
            try bytes.skipSpace()
            let value = try attributeValue(of: name)
            guard !fields.contains(where: { $0.name == name }) else {
                throw bytes.failure("the attribute \(name) stands here twice")
            }
            fields.append((name, value))
            guard fields.count <= limits.attributes, bytes.position - start <= limits.tagBytes
            else {
                throw bytes.failure(
                    "a tag has more than \(limits.attributes) attributes or \(limits.tagBytes) "
                        + "bytes")
            }
        }
    }

    private mutating func attributeValue(of name: String) throws -> String {
        let quote = try bytes.need("a tag")
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw bytes.failure("the value of \(name) must stand in quotation marks")
        }
        var value = MarkupText(limit: limits.tagBytes)
        while true {
            let byte = try bytes.need("the value of \(name)")
            if byte == quote { return try value.take(at: bytes.line) }
            switch byte {
            case UInt8(ascii: "<"):
                throw bytes.failure("< stands in the value of \(name); write &lt;")
            case UInt8(ascii: "&"):
                let scalar = try entity()
                try value.append(scalar, at: bytes.line)
            case 0x09, 0x0A: try value.append(0x20, at: bytes.line)
            default: try value.append(byte, at: bytes.line)
            }
        }
    }

    /// A name of an element or attribute.
    private mutating func name() throws -> String {
        var name: [UInt8] = []
        while let byte = try bytes.peek(), byte < 0x80, Self.isName(byte) {
            name.append(byte)
            _ = try bytes.take()
            guard name.count <= 100 else {
                throw bytes.failure("a name has more than 100 characters")
            }
        }
        guard let first = name.first, Self.isNameStart(first) else {
            throw bytes.failure(
                "a name of ASCII letters must stand here; for the sign < write &lt;")
        }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: isNameStart(byte)
        }
    }

    // MARK: What is no element

    /// From behind `<!`.
    private mutating func declaration() throws {
        switch try bytes.peek() {
        case UInt8(ascii: "-"):
            try expect("--", "a comment")
            try skipComment()
        case UInt8(ascii: "["):
            guard !open.isEmpty else {
                throw bytes.failure("text stands outside of the outermost element")
            }
            try expect("[CDATA[", "a section of text, <![CDATA[")
            try takeSection()
        default:
            throw bytes.failure(
                "declarations such as <!DOCTYPE and <!ENTITY are not read; take them out")
        }
    }

    private mutating func expect(_ text: String, _ what: String) throws {
        for byte in text.utf8 {
            guard try bytes.take() == byte else { throw bytes.failure("\(what) must begin here") }
        }
    }

    private mutating func skipComment() throws {
        var isHyphen = false
        while true {
            let byte = try bytes.need("a comment")
            guard byte == UInt8(ascii: "-") else {
                isHyphen = false
                continue
            }
            guard isHyphen else {
                isHyphen = true
                continue
            }
            guard try bytes.take() == UInt8(ascii: ">") else {
                throw bytes.failure("-- stands inside a comment; a comment ends with -->")
            }
            return
        }
    }

    /// A section of text up to `]]>`.
    private mutating func takeSection() throws {
        var brackets = 0
        while true {
            let byte = try bytes.need("a section of text")
            if byte == UInt8(ascii: "]") {
                brackets += 1
                continue
            }
            if byte == UInt8(ascii: ">"), brackets >= 2 {
                for _ in 2..<brackets { try text.append(UInt8(ascii: "]"), at: bytes.line) }
                return
            }
            for _ in 0..<brackets { try text.append(UInt8(ascii: "]"), at: bytes.line) }
            brackets = 0
            try text.append(byte, at: bytes.line)
        }
    }

    /// From behind the target of `<?target … ?>`.
    private mutating func skipInstruction(_ target: String) throws {
        guard target.lowercased() != "xml" else {
            throw bytes.failure("<?xml stands at the very beginning of a file only")
        }
        guard let byte = try bytes.peek(), byte <= 0x20 || byte == UInt8(ascii: "?") else {
            throw bytes.failure("a space must stand behind <?\(target)")
        }
        var isQuestion = false
        while true {
            let byte = try bytes.need("an instruction")
            if byte == UInt8(ascii: ">"), isQuestion { return }
            isQuestion = byte == UInt8(ascii: "?")
        }
    }
}
