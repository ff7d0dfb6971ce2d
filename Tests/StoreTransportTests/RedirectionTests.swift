import Foundation
import StoreTestSupport
import Testing

@testable import StoreTransport

struct RedirectionTests {
    private func next(
        after request: TransportRequest, _ location: String, status: Int = 302
    ) throws -> TransportRequest? {
        var header = ResponseHeader(limit: 1 << 16)
        for line in ["HTTP/1.1 \(status) Elsewhere\r\n", "Location: \(location)\r\n"] {
            _ = Array(line.utf8).withUnsafeBytes { header.take($0) }
        }
        let response = try #require(header.response(from: request.url))
        return try Redirection.request(after: request, response)
    }

    @Test func `what a request carries for its server is not shown to another one`() throws {
        var request = TransportRequest(
            "GET", "https://store.example/content/1",
            headers: [("Authorization", "x"), ("Cookie", "x"), ("range", "x")])
        for place in [
            "https://bucket.example/1?signature=2", "//bucket.example/1?signature=2",
            "https://store.example:8443/1",
        ] {
            let other = try #require(try next(after: request, place))
            #expect(other.headers.map(\.name) == ["range"])
        }
        let same = try #require(try next(after: request, "/content/2"))
        #expect(same.url == "https://store.example/content/2" && same.headers.count == 3)
        #expect(try next(after: request, "/elsewhere", status: 200) == nil)
        request.method = "POST"
        #expect(try next(after: request, "/elsewhere") == nil)
        #expect(try next(after: request, "/elsewhere", status: 308)?.method == "POST")
    }

    @Test(arguments: [
        "http://store.example/content/2", "file:///etc/passwd", "gopher://store.example/", "ftp:x",
    ])
    func `no redirection leads from HTTPS to anything else`(location: String) {
        let request = TransportRequest("GET", "https://store.example/content/1")
        #expect(throws: TransportError(.invalidResponse, "")) {
            try next(after: request, location)
        }
    }

    @Test func `what changes something goes to no other server, and a stream is not sent again`() {
        var request = TransportRequest("POST", "https://store.example/a")
        #expect(throws: TransportError(.invalidResponse, "")) {
            try next(after: request, "https://other.example/", status: 307)
        }
        request.body = .stream(length: nil) { _ in 0 }
        #expect(throws: TransportError(.invalidResponse, "")) {
            try next(after: request, "/again", status: 307)
        }
    }

    @Test(arguments: SendMethod.allCases)
    func `redirections are followed as often as the request says`(_ method: SendMethod) async throws
    {
        let server = try ConnectionServer(
            answer: "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n")
        var request = TransportRequest("GET", server.address + "/x")
        #expect(try await method.send(request, by: HTTPClient()).status == 302)
        #expect(server.requests.count == 1)
        request.redirectLimit = 3
        await #expect(throws: TransportError(.tooManyRedirects, "")) {
            try await method.send(request, by: HTTPClient())
        }
        #expect(server.requests.count == 5)
    }

    @Test(arguments: SendMethod.allCases)
    func `the response tells where it came from`(_ method: SendMethod) async throws {
        let server = try ConnectionServer(
            answer: "HTTP/1.1 302 Found\r\nLocation: \(ConnectionServer.other)\r\n\r\n",
            behind: .endless)
        let request = TransportRequest("GET", server.address + "/x", redirectLimit: 1)
        let response = try await method.send(request, by: HTTPClient())
        #expect(response.url == server.address + ConnectionServer.other)
        #expect(response.body == Data("{}".utf8))
    }
}
