import Foundation
import Testing

@testable import StoreTransport

struct ResponseHeaderTests {
    private func response(_ lines: [String], limit: Int = 64 << 10) -> TransportResponse? {
        var header = ResponseHeader(limit: limit)
        for line in lines {
            let isShort = Array("\(line)\r\n".utf8).withUnsafeBytes { header.take($0) }
            guard isShort else { return nil }
        }
        return header.response(from: "http://127.0.0.1/")
    }

    struct Line: Sendable {
        let text: String
        let status: Int?
    }

    @Test(arguments: [
        Line(text: "HTTP/1.1 200 OK", status: 200), Line(text: "HTTP/2 404 ", status: 404),
        Line(text: "HTTP/1.1 204", status: 204), Line(text: "HTTP/1.1", status: nil),
        Line(text: "HTTP/1.1 2x0 OK", status: nil), Line(text: "HTTP/1.1 20 OK", status: nil),
        Line(text: "HTTP/1.1 99999999999999999999 OK", status: nil),
        Line(text: "HTTP/1.1 -20 OK", status: nil), Line(text: "HTTP/1.1 099 OK", status: nil),
        Line(text: "", status: nil), Line(text: "HTTQ/1.1 200 OK", status: nil),
    ])
    func `a status has three digits`(_ line: Line) {
        #expect(response([line.text])?.status == line.status)
    }

    @Test func `fields are found by any spelling, and those of one name are joined`() throws {
        let found = try #require(
            response(["HTTP/1.1 200 OK", "ETag:\t\"a\" ", "x-a: 1", "X-A: 2", "no field", ": x"]))
        #expect(found["etag"] == "\"a\"" && found["ETAG"] == "\"a\"")
        #expect(found["X-a"] == "1, 2" && found["none"] == nil)
        #expect(found.fields == ["ETag": "\"a\"", "x-a": "1, 2", "": "x"])
    }

    @Test func `an interim response's fields are none of the response's`() throws {
        let found = try #require(
            response(["HTTP/1.1 103 Early", "Link: x", "", "HTTP/1.1 200 OK", "A: b", ""]))
        #expect(found.status == 200 && found.fields == ["A": "b"])
    }

    @Test func `a trailer changes nothing`() throws {
        let found = try #require(
            response(["HTTP/1.1 200 OK", "A: b", "", "HTTP/1.1 500 No", "A: c", "B: d"]))
        #expect(found.status == 200 && found.fields == ["A": "b"])
    }

    @Test func `more fields than 200 are left out, and more bytes than the limit are refused`() {
        let fields = (0..<1000).map { "X-\($0): a" }
        #expect(response(["HTTP/1.1 200 OK"] + fields)?.fields.count == 200)
        #expect(response(["HTTP/1.1 200 OK"] + fields, limit: 1000) == nil)
    }
}
