import Foundation
import Testing

@testable import StoreMetadata

/// A document that must not be read, and the beginning of what is said about it.
struct HostileMarkup: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let error: String

    init(_ text: String, _ error: String) {
        self.init(bytes: Array(text.utf8), error)
    }

    init(bytes: [UInt8], _ error: String) {
        self.bytes = bytes
        self.error = error
    }

    var testDescription: String {
        "\(String(decoding: bytes.prefix(60), as: UTF8.self).debugDescription), \(error)"
    }

    private static let laughs =
        "<!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;&b;&b;\">]>\n<a>&c;</a>"
    private static let types = "document types such as <!DOCTYPE are not read; take it out"
    private static let entity = "an entity is unknown; there are lt, gt, amp, quot, apos and"
    private static let number = "a number between &# and ; is that of no character"
    private static let noXML = "this is no XML: write &lt; and &amp; for the signs < and &"
    private static let cut = "the file ends inside a tag, a comment or a character"
    private static let declaration = "the declaration must be <?xml version=\"1.0\""
    private static let encoding = "the file is not in the encoding that it names, or that is not"

    static let entities: [HostileMarkup] = [
        .init(laughs, "line 1: \(types)"),
        .init("<?xml version=\"1.0\"?>\n" + laughs, "line 2: \(types)"),
        .init("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", "line 1: \(types)"),
        .init("<!DOCTYPE a PUBLIC \"x\" \"http://example.com/x.dtd\"><a/>", "line 1: \(types)"),
        .init(
            "<!DOCTYPE a [<!ENTITY % b SYSTEM \"file:///etc/passwd\"> %b;]><a/>",
            "line 1: \(types)"),
        .init("<!DOCTYPE a>\n<a/>", "line 1: \(types)"),
        .init("<a><!ENTITY b SYSTEM \"file:///etc/passwd\"></a>", "line 1: \(noXML)"),
        .init("<a><!ELEMENT a ANY></a>", "line 1: \(noXML)"),
        .init("<a><!DOCTYPE a></a>", "line 1: \(noXML)"),
        .init("<a>\n&b;</a>", "line 2: \(entity)"),
        .init("<a>&LT;</a>", "line 1: \(entity)"),
        .init("<a b='&c;'/>", "line 1: \(entity)"),
        .init("<a>&aaaaaaaaaaaaaaaaaaaaaaaa;</a>", "line 1: \(entity)"),
        .init("<a>&;</a>", "line 1: \(noXML)"),
        .init("<a>a & b</a>", "line 1: \(noXML)"),
        .init("<a>&#0;</a>", "line 1: \(number)"),
        .init("<a>&#8;</a>", "line 1: \(number)"),
        .init("<a>&#xD800;</a>", "line 1: \(number)"),
        .init("<a>&#xFFFF;</a>", "line 1: \(number)"),
        .init("<a>&#x110000;</a>", "line 1: \(number)"),
        .init("<a>&#99999999999;</a>", "line 1: \(number)"),
        .init("<a>&#1A;</a>", "line 1: \(noXML)"),
        .init("<a>&#;</a>", "line 1: \(noXML)"),
        .init("<a>&#x;</a>", "line 1: \(noXML)"),
        .init("<a>&#-1;</a>", "line 1: \(noXML)"),
        .init("<a>&lt", "line 1: \(cut)"),
    ]

    static let texts: [HostileMarkup] = [
        .init("", "line 1: the file holds no XML"),
        .init("\n \n", "line 3: the file holds no XML"),
        .init("{\"products\": []}", "line 1: \(noXML)"),
        .init("<a/>\ntail", "line 2: something stands behind the outermost element"),
        .init("<a/><![CDATA[x]]>", "line 1: something stands behind the outermost element"),
        .init(bytes: [0xFF, 0xFE, 0x3C, 0x00], "line 1: \(cut)"),
        .init(bytes: [0x3C, 0x00, 0x61, 0x00], "line 1: \(cut)"),
        .init(bytes: Array("<a>x".utf8) + [0] + Array("</a>".utf8), "line 1: \(noXML)"),
        .init(bytes: Array("<!--".utf8) + [0] + Array("--><a/>".utf8), "line 1: \(noXML)"),
        .init("<a>\n\u{8}</a>", "line 2: \(noXML)"),
        .init("<a>\u{FFFE}</a>", "line 1: \(noXML)"),
        .init("<a b='\u{FFFF}'/>", "line 1: \(noXML)"),
        // Latin-1, an overlong /, half a surrogate, a cut sequence.
        .init(bytes: Array("<a>".utf8) + [0xE9] + Array("\n</a>".utf8), "line 1: \(noXML)"),
        .init(bytes: Array("<a>".utf8) + [0xC0, 0xAF] + Array("</a>".utf8), "line 1: \(noXML)"),
        .init(
            bytes: Array("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8),
            "line 1: \(noXML)"),
        .init(bytes: Array("<a b='".utf8) + [0xE2, 0x82] + Array("'/>".utf8), "line 1: \(noXML)"),
        .init("<a>x]]>y</a>", "line 1: \(noXML)"),
        .init("<a><![CDATA[x]]", "line 1: the file ends inside a section of text"),
        .init("<a><![cdata[x]]></a>", "line 1: \(noXML)"),
        .init("<?xml version='1.0' encoding='UTF-7'?><a/>", "line 1: \(encoding)"),
        .init("<?xml version='1.0' encoding='UTF-16'?><a/>", "line 1: \(encoding)"),
        .init("<?xml encoding='UTF-8'?><a/>", "line 1: \(declaration)"),
        .init(
            "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>", "line 1: \(declaration)"),
        .init("<?xml version='1.0' standalone='maybe'?><a/>", "line 1: \(declaration)"),
        .init(" <?xml version='1.0'?><a/>", "line 1: <?xml stands at the very beginning"),
        .init("<a><?XML?></a>", "line 1: \(noXML)"),
        .init("<a><?b", "line 1: \(cut)"),
        .init("<a><!-- x -- y --></a>", "line 1: \(noXML)"),
        .init("<a>\n<!-- x", "line 2: \(cut)"),
    ]

    static let tags: [HostileMarkup] = [
        .init("<a>", "line 1: the file ends inside <a>, which must be closed"),
        .init("<a><b>\n</a>", "line 2: an end tag stands where </b> must close <b>"),
        .init("<a></a></a>", "line 1: \(noXML)"),
        .init("</a>", "line 1: \(noXML)"),
        .init("<a/><b/>", "line 1: something stands behind the outermost element"),
        .init("<a", "line 1: \(cut)"),
        .init("<", "line 1: \(cut)"),
        .init("< a/>", "line 1: \(noXML)"),
        .init("<1a/>", "line 1: \(noXML)"),
        .init("<a>1 < 2</a>", "line 1: \(noXML)"),
        .init("<a/ >", "line 1: \(noXML)"),
        .init("<a></a b='1'>", "line 1: \(noXML)"),
        .init("<a b/>", "line 1: \(noXML)"),
        .init("<a b=1/>", "line 1: \(noXML)"),
        .init("<a b='1'c='2'/>", "line 1: \(noXML)"),
        .init("<a b='1' b='2'/>", "line 1: an attribute stands in this tag twice"),
        .init("<a b='<'/>", "line 1: \(noXML)"),
        .init("<a b='1", "line 1: \(cut)"),
    ]

    private static let long = String(repeating: "x", count: 100_000)
    private static let longer = String(repeating: "x", count: 10_000_000)
    private static let tooLong = "a tag, a comment or an instruction has more than 64 KB"
    private static let textTooLong = "this text has more than 65536 bytes; shorten it"

    static let costs: [HostileMarkup] = [
        .init(
            String(repeating: "<a>", count: 100_000),
            "line 1: elements are nested more than 32 deep; nest them less"),
        .init(
            "<a " + (0..<1000).map { "b\($0)='' " }.joined() + "/>",
            "line 1: a tag has more than 16 attributes"),
        .init("<a b='\(long)'/>", "line 1: \(tooLong)"),
        .init("<a b='\(longer)", "line 1: \(tooLong)"),
        .init("<\(longer)/>", "line 1: \(tooLong)"),
        .init("<a><!--\(longer)--></a>", "line 1: \(tooLong)"),
        .init("<a><?b \(longer)?></a>", "line 1: \(tooLong)"),
        .init("<a>\(long)</a>", "line 1: \(textTooLong)"),
        .init("<a><![CDATA[\(long)]]></a>", "line 1: \(textTooLong)"),
        .init(
            "<a>" + String(repeating: "&#x10FFFF;", count: 20_000) + "</a>",
            "line 1: \(textTooLong)"),
    ]
}

@Suite("Hostile XML")
struct HostileMarkupTests {
    private func refusal(of bytes: [UInt8]) -> String? {
        let reader = MarkupReader(bytes: bytes)
        do {
            while try reader.next() != nil {}
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        arguments: HostileMarkup.entities + HostileMarkup.texts + HostileMarkup.tags
            + HostileMarkup.costs)
    func `what is no XML, or costs too much, is refused with its line`(
        _ sample: HostileMarkup
    ) {
        let found = refusal(of: sample.bytes) ?? "none"
        #expect(found.hasPrefix(sample.error), "\(found)")
    }

    /// Nothing is told of what follows a document type, not even by a file that is read a byte
    /// at a time.
    @Test(arguments: HostileMarkup.entities)
    func `what is refused gives nothing before it that it should not`(_ sample: HostileMarkup) {
        var rest = sample.bytes[...]
        let reader = MarkupReader {
            defer { rest = rest.dropFirst() }
            return Array(rest.prefix(1))
        }
        var texts: [String] = []
        let error = #expect(throws: MarkupError.self) {
            while let event = try reader.next() {
                if case .text(let text) = event { texts.append(text) }
            }
        }
        #expect(error.map { "\($0)" }?.hasPrefix(sample.error) == true)
        #expect(!texts.contains { $0.contains("ha") || $0.contains("root:") })
    }

    @Test func `a file that is too long is not read to its end`() throws {
        var limits = MarkupLimits()
        limits.bytes = 1 << 20
        var given = 0
        let reader = MarkupReader(limits: limits) {
            given += 1
            return given == 1 ? Array("<a>".utf8) : Array("<b></b>\n".utf8)
        }
        let error = #expect(throws: MarkupError.self) { while try reader.next() != nil {} }
        #expect(error?.problem == "the file has more than 1 MB; split it")
        #expect(given < (1 << 20) / 8 + 3)
    }

    @Test func `every beginning of a file is refused, and none is taken for the whole`() throws {
        let bytes = Array(SampleMetadata.text.utf8)
        #expect(refusal(of: bytes) == nil)
        for length in 0..<bytes.count {
            #expect(refusal(of: Array(bytes.prefix(length))) != nil, "\(length)")
        }
    }
}
