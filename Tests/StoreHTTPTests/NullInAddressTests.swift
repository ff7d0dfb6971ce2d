import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

/// libmicrohttpd ends paths and values at a NUL: nobody decides by what it has left of them.
@Suite final class NullInAddressTests: Sendable {
    private let asked = Mutex<[String]>([])

    private func listening() throws -> Listening {
        try Listening { [self] request in
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            asked.withLock { $0.append("\(request.path)?\(query)") }
            return .now(HTTPResponse(status: 200))
        }
    }

    @Test(arguments: [
        "/a%00", "/%00", "/a%00.md5", "/a%00/b?x=1", "/a?x=%00", "/a?x=1%00.png&y=2", "/a?%00=1",
        "/a?x%00", "/a?x=1&y=%2%00", "/%%00", "/a?x=1#%00",
    ])
    func `an address with one is refused, whatever the method`(_ address: String) async throws {
        let listening = try listening()
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PURGE"] {
            let answer = try await listening.send(
                HTTPRequest(
                    method: method, path: address,
                    body: Data(method == "POST" ? "body".utf8 : "".utf8)))
            #expect(answer.status == 400, "\(method)")
        }
        #expect(asked.withLock { $0 } == [])
    }

    @Test(arguments: [
        ("/a%2500", "/a%00?"), ("/a?x=%2500", "/a?x=%00"), ("/a%01?x=%010", "/a\u{1}?x=\u{1}0"),
        ("/%0g0?x=%0", "/%0g0?x=%0"),
    ])
    func `what only looks like one is an address`(_ address: String, _ seen: String) async throws {
        let listening = try listening()
        #expect(try await listening.get(address).status == 200)
        #expect(asked.withLock { $0 } == [seen])
    }

    @Test func `the connection is not used for what came behind it`() async throws {
        let listening = try listening()
        let answer = try await listening.exchange(
            Data(
                "GET /a%00 HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        let text = String(decoding: answer, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 400 "))
        #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
        #expect(asked.withLock { $0 } == [])
    }
}
