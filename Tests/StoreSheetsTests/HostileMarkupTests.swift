import Foundation
import Testing

@testable import StoreSheets

/// A document that must not be read, and what is said about it.
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

    var testDescription: String { error }

    private static let laughs =
        "<!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;&b;&b;\">]>\n<a>&c;</a>"

    static let entities: [HostileMarkup] = [
        .init(laughs, "line 1: declarations such as <!DOCTYPE and <!ENTITY are not read"),
        .init("<?xml version=\"1.0\"?>\n" + laughs, "line 2: declarations such as <!DOCTYPE"),
        .init(
            "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", "line 1: declarations such as"),
        .init(
            "<!DOCTYPE a PUBLIC \"x\" \"http://example.com/x.dtd\"><a/>",
            "line 1: declarations such as"),
        .init("<a><!ENTITY b SYSTEM \"file:///etc/passwd\"></a>", "line 1: declarations such as"),
        .init("<a><!ELEMENT a ANY></a>", "line 1: declarations such as"),
        .init("<a>\n&b;</a>", "line 2: the entity \"b\" is unknown; there are lt, gt, amp"),
        .init("<a>&LT;</a>", "line 1: the entity \"LT\" is unknown"),
        .init("<a>&;</a>", "line 1: the entity \"\" is unknown"),
        .init("<a b='&c;'/>", "line 1: the entity \"c\" is unknown"),
        .init("<a>a & b</a>", "line 1: & begins an entity; write &amp; for the sign itself"),
        .init("<a>&aaaaaaaaaaaaaaaaaaaaaaaa;</a>", "line 1: & begins an entity"),
        .init("<a>&#0;</a>", "line 1: &\"#0\"; is no character"),
        .init("<a>&#8;</a>", "line 1: &\"#8\"; is no character"),
        .init("<a>&#xD800;</a>", "line 1: &\"#xD800\"; is no character"),
        .init("<a>&#xFFFF;</a>", "line 1: &\"#xFFFF\"; is no character"),
        .init("<a>&#x110000;</a>", "line 1: &\"#x110000\"; is no character"),
        .init("<a>&#99999999999;</a>", "line 1: & begins an entity"),
        .init("<a>&#9999999999;</a>", "line 1: &\"#9999999999\"; is no character"),
        .init("<a>&#1A;</a>", "line 1: &\"#1A\"; is no character"),
        .init("<a>&#;</a>", "line 1: &\"#\"; is no character"),
        .init("<a>&#x;</a>", "line 1: &\"#x\"; is no character"),
        .init("<a>&#-1;</a>", "line 1: &\"#-1\"; is no character"),
        .init("<a>&lt", "line 1: the file ends inside an entity"),
    ]

    static let texts: [HostileMarkup] = [
        .init("", "line 1: the file holds no XML"),
        .init("\n \n", "line 3: the file holds no XML"),
        .init("{\"products\": []}", "line 1: text stands outside of the outermost element"),
        .init("<a/>\ntail", "line 2: text stands outside of the outermost element"),
        .init("<a/><![CDATA[x]]>", "line 1: text stands outside of the outermost element"),
        .init(bytes: [0xFF, 0xFE, 0x3C, 0x00], "line 1: the file is UTF-16; save it in UTF-8"),
        .init(bytes: [0xFE, 0xFF, 0x00, 0x3C], "line 1: the file is UTF-16; save it in UTF-8"),
        .init(bytes: [0x00, 0x3C, 0x00, 0x61], "line 1: a NUL stands here"),
        .init(bytes: [0x3C, 0x00, 0x61, 0x00], "line 1: a name of ASCII letters must stand here"),
        .init(bytes: Array("<a>x".utf8) + [0] + Array("</a>".utf8), "line 1: a NUL stands here"),
        .init(bytes: Array("<!--".utf8) + [0] + Array("--><a/>".utf8), "line 1: a NUL"),
        .init("<a>\n\u{8}</a>", "line 2: a control character stands here; take it out"),
        .init("<a>\u{FFFE}</a>", "line 1: the text that ends here holds U+FFFE or U+FFFF"),
        .init("<a b='\u{FFFF}'/>", "line 1: the text that ends here holds U+FFFE or U+FFFF"),
        // Latin-1, an overlong /, half a surrogate, a cut sequence.
        .init(bytes: Array("<a>".utf8) + [0xE9] + Array("\n</a>".utf8), "line 2: the text that"),
        .init(bytes: Array("<a>".utf8) + [0xC0, 0xAF] + Array("</a>".utf8), "line 1: the text"),
        .init(
            bytes: Array("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8),
            "line 1: the text that ends here is not UTF-8"),
        .init(bytes: Array("<a b='".utf8) + [0xE2, 0x82] + Array("'/>".utf8), "line 1: the text"),
        .init("<a>x]]>y</a>", "line 1: ]]> is no text; write ]]&gt;"),
        .init("<a>x]]]>y</a>", "line 1: ]]> is no text; write ]]&gt;"),
        .init("<a><![CDATA[x]]", "line 1: the file ends inside a section of text"),
        .init("<a><![cdata[x]]></a>", "line 1: a section of text, <![CDATA[ must begin here"),
        .init(
            "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
            "line 1: the encoding \"ISO-8859-1\" is"),
        .init(
            "<?xml version='1.0' encoding='UTF-7'?><a/>", "line 1: the encoding \"UTF-7\" is not"),
        .init("<?xml version='1.1'?><a/>", "line 1: the declaration must be <?xml version"),
        .init("<?xml encoding='UTF-8'?><a/>", "line 1: the declaration must be <?xml version"),
        .init(
            "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>", "line 1: the declaration"),
        .init("<?xml version='1.0' standalone='maybe'?><a/>", "line 1: standalone is yes or no"),
        .init("<?xml version='1.0'>?<a/>", "line 1: the declaration must end with ?>"),
        .init(" <?xml version='1.0'?><a/>", "line 1: <?xml stands at the very beginning"),
        .init("<a><?XML?></a>", "line 1: <?xml stands at the very beginning"),
        .init("<a><?b", "line 1: the file ends inside an instruction"),
        .init("<a><!-- x -- y --></a>", "line 1: -- stands inside a comment"),
        .init("<a>\n<!-- x", "line 2: the file ends inside a comment"),
    ]

    static let tags: [HostileMarkup] = [
        .init("<a>", "line 1: the file ends inside <a>, which must be closed"),
        .init("<a><b></a>", "line 1: </a> stands where </b> must close <b>"),
        .init("<a></a></a>", "line 1: </a> closes what was never opened"),
        .init("</a>", "line 1: </a> closes what was never opened"),
        .init("<a/><b/>", "line 1: a second outermost element begins; there is one"),
        .init("<a", "line 1: the file ends inside a tag"),
        .init("<", "line 1: a name of ASCII letters must stand here"),
        .init("< a/>", "line 1: a name of ASCII letters must stand here"),
        .init("<1a/>", "line 1: a name of ASCII letters must stand here"),
        .init("<é/>", "line 1: a name of ASCII letters must stand here"),
        .init("<a>1 < 2</a>", "line 1: a name of ASCII letters must stand here; for the sign <"),
        .init("<a/ >", "line 1: the tag <a> must end with >"),
        .init("<a></a b='1'>", "line 1: the tag </a> must end with >"),
        .init("<a b/>", "line 1: the attribute b must have a value"),
        .init("<a b=1/>", "line 1: the value of b must stand in quotation marks"),
        .init("<a b='1'c='2'/>", "line 1: a space must stand before an attribute"),
        .init("<a b='1' b='2'/>", "line 1: the attribute b stands here twice"),
        .init("<a b='<'/>", "line 1: < stands in the value of b; write &lt;"),
        .init("<a b='1", "line 1: the file ends inside the value of b"),
        .init("<a b='1'", "line 1: the file ends inside a tag"),
        .init(
            "<\(String(repeating: "a", count: 101))/>",
            "line 1: a name has more than 100 characters"),
    ]

    static let costs: [HostileMarkup] = [
        .init(
            String(repeating: "<a>", count: 100_000),
            "line 1: elements are nested more than 32 deep; nest them less"),
        .init(
            "<a " + (0..<10_000).map { "b\($0)='' " }.joined() + "/>",
            "line 1: a tag has more than 16 attributes or 4096 bytes"),
        .init(
            "<a b='" + String(repeating: "x", count: 5000) + "'/>",
            "line 1: this text has more than 4096 bytes; shorten it"),
        .init(
            "<a>" + String(repeating: "x", count: 100_000) + "</a>",
            "line 1: this text has more than 65536 bytes; shorten it"),
        .init(
            "<a><![CDATA[" + String(repeating: "]", count: 100_000) + "]]></a>",
            "line 1: this text has more than 65536 bytes; shorten it"),
        .init(
            "<a>" + String(repeating: "&#x10FFFF;", count: 20_000) + "</a>",
            "line 1: this text has more than 65536 bytes; shorten it"),
    ]
}

@Suite("Hostile XML")
struct HostileMarkupTests {
    private func refusal(of bytes: [UInt8], limits: MarkupLimits = MarkupLimits()) -> String? {
        var reader = MarkupReader(limits: limits, bytes: bytes)
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

    @Test func `a file that is too long is not read to its end`() throws {
        var limits = MarkupLimits()
        limits.bytes = 1 << 20
        var given = 0
        var reader = MarkupReader(limits: limits) {
            given += 1
            return given == 1 ? Array("<a>".utf8) : Array("<b></b>\n".utf8)
        }
        let error = #expect(throws: MarkupError.self) { while try reader.next() != nil {} }
        #expect(error?.problem == "the file has more than 1 MB; split it")
        #expect(given < (1 << 20) / 8 + 3)
    }

    @Test func `every beginning of a file is refused, and none is taken for the whole`() throws {
        let bytes = Array(SampleSheet.text.utf8)
        #expect(refusal(of: bytes) == nil)
        for length in 0..<bytes.count {
            #expect(refusal(of: Array(bytes.prefix(length))) != nil, "\(length)")
        }
    }
}
