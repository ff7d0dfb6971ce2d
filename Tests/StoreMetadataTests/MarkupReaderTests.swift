import Testing

@testable import StoreMetadata

@Suite("XML, as it is read")
struct MarkupReaderTests {
    /// Events as one line: `<a>`, `"text"`, `</a>`.
    private func events(_ text: String, piece: Int = .max) throws -> String {
        var rest = Array(text.utf8)[...]
        let reader = MarkupReader {
            defer { rest = rest.dropFirst(piece) }
            return Array(rest.prefix(piece))
        }
        var result = ""
        while let event = try reader.next() {
            switch event {
            case .start(let tag):
                let fields = tag.attributes.map { " \($0.name)=\($0.value)" }.joined()
                result += "<\(tag.name)\(fields)>"
            case .text(let text): result += "\"\(text)\""
            case .end(let name): result += "</\(name)>"
            }
        }
        return result
    }

    @Test(arguments: [
        ("<a/>", "<a></a>"),
        ("<a></a>", "<a></a>"),
        ("<a >t</a >", "<a>\"t\"</a>"),
        ("\u{FEFF}<a/>", "<a></a>"),
        ("<?xml version='1.0'?><a/>", "<a></a>"),
        ("<?xml version=\"1.0\" encoding='utf-8' standalone=\"yes\" ?>\n<a/>\n", "<a></a>"),
        ("<?xml version=\"1.0\" encoding=\"US-ASCII\"?><a/>", "<a></a>"),
        ("<!-- a - b --><a/><!----><?end?>", "<a></a>"),
        ("<?style sheet?><a/>", "<a></a>"),
        (" \r\n\t<a/>", "<a></a>"),
        ("<a>1<!-- no --><![CDATA[<2>]]>&#51;<?no?>4</a>", "<a>\"1<2>34\"</a>"),
        ("<a>&lt;&gt;&amp;&quot;&apos;&#x1F600;</a>", "<a>\"<>&\"'😀\"</a>"),
        ("<a><![CDATA[]]]]]]></a>", "<a>\"]]]]\"</a>"),
        ("<a><![CDATA[]]></a>", "<a></a>"),
        ("<a>]] ></a>", "<a>\"]] >\"</a>"),
        ("<a>1\r\n2\r3\n4&#13;</a>", "<a>\"1\n2\n3\n4\r\"</a>"),
        ("<a b='1' c = \"&lt;'2'\"/>", "<a b=1 c=<'2'></a>"),
        ("<a b='1\n2\t3&#10;'/>", "<a b=1 2 3\n></a>"),
        ("<a>x<b/>y<c>z</c></a>", "<a>\"x\"<b></b>\"y\"<c>\"z\"</c></a>"),
        ("<a.b-c_d:1/>", "<a.b-c_d:1></a.b-c_d:1>"),
        ("<é/>", "<é></é>"),
    ])
    func `what is XML gives its tags and texts`(_ text: String, _ expected: String) throws {
        #expect(try events(text) == expected)
        // Wherever one piece of the file ends and the next begins.
        #expect(try events(text, piece: 1) == expected)
    }

    @Test(arguments: [true, false])
    func `UTF-16 is read by its mark`(isBigEndian: Bool) throws {
        let text = "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>é章😀</a>"
        let bytes = text.utf16.flatMap { unit -> [UInt8] in
            let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
            return isBigEndian ? pair : pair.reversed()
        }
        let reader = MarkupReader(bytes: bytes)
        var text16: String?
        while let event = try reader.next() {
            if case .text(let text) = event { text16 = text }
        }
        #expect(text16 == "é章😀")
    }

    @Test func `tags know their lines, whatever ends a line`() throws {
        let reader = MarkupReader(bytes: Array("<a>\r\n<b>\r</b><c\n/>\n\n<d/></a>".utf8))
        var lines: [String: Int] = [:]
        while let event = try reader.next() {
            if case .start(let tag) = event { lines[tag.name] = tag.line }
        }
        #expect(lines == ["a": 1, "b": 2, "c": 3, "d": 6])
    }
}
