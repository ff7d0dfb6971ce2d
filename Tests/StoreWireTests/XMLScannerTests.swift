import Foundation
import StoreWire
import Testing

@Suite struct XMLScannerTests {
    private func events(_ text: String, chunk: Int = 1 << 16) throws -> [XMLEvent] {
        try events(Data(text.utf8), chunk: chunk)
    }

    /// All events, the bytes given in chunks of some size.
    private func events(_ data: Data, chunk: Int = 1 << 16) throws -> [XMLEvent] {
        var rest = data[...]
        var scanner = XMLScanner {
            let part = Data(rest.prefix(chunk))
            rest = rest.dropFirst(chunk)
            return part
        }
        var events: [XMLEvent] = []
        while let event = try scanner.next() {
            if case .text(let more, _) = event, case .text(let text, let line)? = events.last {
                events[events.count - 1] = .text(text + more, line: line)
            } else {
                events.append(event)
            }
        }
        return events
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `a document is read as XML has it, however its bytes arrive`(chunk: Int) throws {
        let text = """
            \u{FEFF}<?xml version="1.0" encoding="utf-8"?>
            <!-- a <comment> & more -->
            <a x="1" y='&lt;"&#65;&#x42;'>
            t&amp;&gt;ü<b/><![CDATA[<&]]>
            </a>

            """
        #expect(
            try events(text, chunk: chunk) == [
                .start(XMLTag(name: "a", attributes: ["x": "1", "y": "<\"AB"], line: 3)),
                .text("\nt&>ü", line: 3), .start(XMLTag(name: "b", attributes: [:], line: 4)),
                .end(name: "b", line: 4), .text("<&\n", line: 4), .end(name: "a", line: 5),
            ])
    }

    @Test func `ends of lines are one character each`() throws {
        #expect(
            try events("<a>1\r\n2\r3\n4</a>")[1] == .text("1\n2\n3\n4", line: 1))
        #expect(
            try events("<a x='1\n\t2'/>")[0]
                == .start(
                    XMLTag(name: "a", attributes: ["x": "1  2"], line: 1)))
    }

    /// A document that is refused, the line, and a part of the sentence.
    struct Refused: Sendable, CustomTestStringConvertible {
        let text: String
        let line: Int
        let reason: String
        var testDescription: String { "\(text.prefix(60).debugDescription): \(reason)" }

        init(_ text: String, _ line: Int, _ reason: String) {
            self.text = text
            self.line = line
            self.reason = reason
        }
    }

    static let refused: [Refused] = [
        Refused("", 1, "empty"), Refused("  \n ", 2, "empty"), Refused("text", 1, "outside"),
        Refused("<a>", 1, "ends within <a>"), Refused("<a></b>", 1, "is ended by </b>"),
        Refused("<a/><b/>", 1, "second element"), Refused("<a/>\ntext", 1, "outside"),
        Refused("</a>", 1, "ends no element"), Refused("<a", 1, "ends within"),
        Refused("<a x>", 1, "can't be there"), Refused("<a x=1>", 1, "not in quotes"),
        Refused("<a x='1' x='2'/>", 1, "twice"), Refused("<a x='1'y='2'/>", 1, "malformed"),
        Refused("<a x='<'/>", 1, "There is a <"), Refused("< a/>", 1, "name is missing"),
        Refused("<1/>", 1, "name is missing"), Refused("<a>&</a>", 1, "no reference"),
        Refused("<a>& b</a>", 1, "no reference"), Refused("<a>&nbsp;</a>", 1, "unknown"),
        Refused("<a>&verylongnameofentity;</a>", 1, "no reference"),
        Refused("<a>&#0;</a>", 1, "no character"), Refused("<a>&#x1F;</a>", 1, "no character"),
        Refused("<a>&#xD800;</a>", 1, "no character"),
        Refused("<a>&#99999999;</a>", 1, "no character"), Refused("<a>&#;</a>", 1, "no character"),
        Refused("<a>\n\u{1}</a>", 1, "control character"), Refused("<a>]]></a>", 1, "]]>"),
        Refused("<a><!-- -- --></a>", 1, "--"), Refused("<a><!-- ", 1, "ends within a comment"),
        Refused("<a><![CDATA[", 1, "ends within a CDATA"),
        Refused("<![CDATA[]]><a/>", 1, "outside"),
        Refused("<a/><?xml version='1.0'?>", 1, "not at the beginning"),
        Refused("<?xml version='1.0' encoding='UTF-16'?><a/>", 1, "not in UTF-8"),
        Refused("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", 1, "not in UTF-8"),
        // What could define, fetch or expand something.
        Refused("<!DOCTYPE a><a/>", 1, "document type"),
        Refused("\n<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", 2, "document type"),
        Refused("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 1, "document type"),
        Refused(
            "<!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'><!ENTITY c '&b;&b;'>]><l>&c;</l>", 1,
            "document type"),
        Refused("<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://evil'>%p;]><a/>", 1, "document type"),
        Refused("<a><!ENTITY b 'c'></a>", 1, "document type"),
        Refused("<a><!DOCTYPE b></a>", 1, "document type"),
        // What is too much.
        Refused(String(repeating: "<a>", count: 33), 1, "nested more than 32"),
        Refused("<\(String(repeating: "a", count: 101))/>", 1, "more than 100 bytes"),
        Refused("<a x='\(String(repeating: "a", count: 4097))'/>", 1, "more than 4096 bytes"),
        Refused(
            "<a \((0...16).map { "x\($0)='1'" }.joined(separator: " "))/>", 1,
            "more than 16 attributes"),
        Refused("<a><?x \(String(repeating: "a", count: 5000))?></a>", 1, "more than 4096 bytes"),
    ]

    @Test(arguments: refused)
    func `what breaks the rules is refused with its line`(document: Refused) {
        for chunk in [1, 1 << 16] {
            do {
                _ = try events(document.text, chunk: chunk)
                Issue.record("taken")
            } catch let problem as XMLProblem {
                #expect(problem.line == document.line)
                #expect(problem.message.contains(document.reason), "\(problem)")
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test(arguments: [
        Data([0xFF, 0xFE, 0x3C, 0]), Data([0xFE, 0xFF, 0, 0x3C]), Data([0, 0x3C, 0, 0x61]),
        Data("<a>".utf8) + Data([0xC3, 0x28]) + Data("</a>".utf8),
        Data("<a x='".utf8) + Data([0xFF]) + Data("'/>".utf8), Data([0xEF, 0xBB, 0x3C]),
        // An overlong < and a surrogate.
        Data("<a>".utf8) + Data([0xC0, 0xBC]) + Data("</a>".utf8),
        Data("<a>".utf8) + Data([0xED, 0xA0, 0x80]) + Data("</a>".utf8),
    ])
    func `other encodings and broken ones are refused`(data: Data) {
        #expect(throws: XMLProblem.self) { try events(data) }
    }

    @Test func `long texts come in pieces`() throws {
        let text = String(repeating: "üx", count: 100_000)
        var scanner = XMLScanner(Data("<a>\(text)</a>".utf8))
        var pieces: [String] = []
        while let event = try scanner.next() {
            if case .text(let piece, _) = event { pieces.append(piece) }
        }
        #expect(pieces.count > 10 && pieces.joined() == text)
    }

    @Test func `what is written is read as it was`() throws {
        let text = "<&>\"' \u{1F600}\r\n\t]]>ü\u{0}\u{B}"
        let document = "<a x=\"\(XMLText.escape("<&>\"' ü"))\">\(XMLText.escape(text))</a>"
        let events = try events(document)
        #expect(
            events[0] == .start(XMLTag(name: "a", attributes: ["x": "<&>\"' ü"], line: 1)))
        #expect(events[1] == .text("<&>\"' \u{1F600}\r\n\t]]>ü", line: 1))
    }

    @Test func `arbitrary bytes never do more than throw`() {
        var seed: UInt64 = 42
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        let parts = [
            "<", ">", "/", "a", "=", "'", "\"", "&", ";", "#", "x", "!", "-", "[", "CDATA[", "]]>",
            "?", "<a>", "</a>", "<!--", "-->", "&amp;", " ", "\n", "é", "\u{0}",
        ]
        for _ in 0..<3000 {
            let text = (0..<random(30)).map { _ in parts[random(parts.count)] }.joined()
            _ = try? events("<a>" + text)
        }
    }
}
