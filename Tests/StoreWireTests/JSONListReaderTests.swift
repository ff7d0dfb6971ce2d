import Foundation
import StoreWire
import Testing

/// Long lists, read an element at a time.
@Suite struct JSONListReaderTests {
    /// What comes of a text in pieces of so many bytes.
    private func read(
        _ text: String, piece: Int, depth: Int = 1
    ) throws -> (elements: [JSONValue], rest: JSONValue) {
        var left = Data(text.utf8)
        var reader = JSONListReader(list: "list", depth: depth) {
            defer { left = Data(left.dropFirst(piece)) }
            return Data(left.prefix(piece))
        }
        var elements: [JSONValue] = []
        while let element = try reader.next() { elements.append(element) }
        return (elements, try reader.rest())
    }

    private static let cases: [(text: String, elements: [JSONValue], rest: JSONValue)] = [
        (#"{"list":[1,2,3],"after":true}"#, [1, 2, 3], ["list": [], "after": true]),
        (
            #"{"before":[4],"list":[ {"a":[1,{"b":2}]} , "x" ]}"#,
            [["a": [1, ["b": 2]]], "x"], ["before": [4], "list": []]
        ),
        (#"{"list":[]}"#, [], ["list": []]),
        (#"{ "list" : [ ] , "z" : null }"#, [], ["list": [], "z": nil]),
        (
            #"{"list":["],[","\"]","\\"],"s":"\"list\":[1]"}"#, ["],[", "\"]", "\\"],
            ["list": [], "s": "\"list\":[1]"]
        ),
        (
            #"{"other":{"list":[1]},"s":"list","x":[9]}"#, [],
            ["other": ["list": [1]], "s": "list", "x": [9]]
        ),
    ]

    @Test(arguments: cases.indices, [1, 2, 7, 4096])
    func `elements come one by one, the document without them`(number: Int, piece: Int) throws {
        let (text, elements, rest) = Self.cases[number]
        let found = try read(text, piece: piece)
        #expect(found.elements == elements)
        #expect(found.rest == rest)
    }

    @Test func `the list lies in as many objects as is said`() throws {
        let text = #"{"list":[0],"data":{"attributes":{"list":[1,2]}}}"#
        let found = try read(text, piece: 3, depth: 3)
        #expect(found.elements == [1, 2])
        #expect(found.rest == ["list": [0], "data": ["attributes": ["list": []]]])
    }

    @Test(arguments: ["{\"list\":[1,", "{\"list\":[1", "{\"list\":[]", "", "[1]]"])
    func `what is cut off is no document`(text: String) {
        #expect(throws: WireFormatError.self) { _ = try read(text, piece: 5) }
    }

    @Test(arguments: [#"{"list":[tru]}"#, #"{"list":[{"a":1,"a":2}]}"#, #"{"list":[}]}"#])
    func `an element that is no JSON is refused`(text: String) {
        #expect(throws: WireFormatError.self) { _ = try read(text, piece: 5) }
    }
}
