import StoreKernel
import Testing

struct JSONStringTests {
    private func written(_ text: String, for purpose: JSONString.Purpose) -> String {
        var bytes: [UInt8] = []
        JSONString.write(text, to: &bytes, for: purpose)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("\u{8}\t\n\u{c}\r", #""\b\t\n\f\r""#),
        ("\0\u{1f}", #""\u0000\u001f""#), ("日本 é 😀", #""日本 é 😀""#),
    ])
    func `a string is escaped where JSON asks for it`(text: String, json: String) {
        #expect(written(text, for: .document) == json)
        #expect(written(text, for: .script) == json)
    }

    @Test(arguments: [
        ("</script>&", #""\u003c/script\u003e\u0026""#),
        ("a\u{2028}\u{2029}b", #""a\u2028\u2029b""#),
        ("\u{7f}\u{80}\u{9f}\u{a0}", "\"\\u007f\\u0080\\u009f\u{a0}\""), ("’…⚡", #""’…⚡""#),
    ])
    func `in a script there is no tag, line terminator or control character`(
        text: String, json: String
    ) {
        #expect(written(text, for: .script) == json)
        #expect(written(text, for: .document) == "\"\(text)\"")
    }

    @Test func `members of a script's JSON keep their order`() {
        let json = ScriptJSON.object([
            ("b", .list([.integer(1), .flag(true)])), ("a", .texts(["<"])), ("c", .object([])),
        ])
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"b":[1,true],"a":["\u003c"],"c":{}}"#)
    }
}
