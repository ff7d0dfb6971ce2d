import Foundation
import StoreHTTP
import StoreTestSupport
import Testing

@Suite struct BodyLimitTests {
    static let limit = 1000

    /// Answers with the number of bytes that it got.
    private func listening() throws -> Listening {
        try Listening(bodyLimit: Self.limit) { request in
            .now(HTTPResponse(status: 200, body: Data("\(request.body.count)".utf8)))
        }
    }

    private func post(_ count: Int, to listening: Listening) async throws -> HTTPResponse {
        try await listening.send(
            HTTPRequest(method: "POST", path: "/", body: Data(repeating: 7, count: count)))
    }

    /// A body in pieces, whose length nobody announces.
    private func chunked(_ pieces: [Int]) -> Data {
        var bytes = Data(
            """
            POST / HTTP/1.1\r
            Host: x\r
            Connection: close\r
            Transfer-Encoding: chunked\r
            \r

            """.utf8)
        for count in pieces {
            bytes += Data("\(String(count, radix: 16))\r\n".utf8)
            bytes += Data(repeating: 7, count: count) + Data("\r\n".utf8)
        }
        return bytes + Data("0\r\n\r\n".utf8)
    }

    @Test(arguments: [0, 1, limit])
    func `a body up to the limit arrives whole`(count: Int) async throws {
        let response = try await post(count, to: listening())
        #expect(response.status == 200)
        #expect(response.text == "\(count)")
    }

    @Test(arguments: [limit + 1, 10 * limit])
    func `a longer body is refused`(count: Int) async throws {
        let response = try await post(count, to: listening())
        #expect(response.status == 413)
        #expect(response.text == "too large")
    }

    @Test(arguments: ["1001", "4294967296", "9223372036854775807"])
    func `an announced length is refused before the body is sent`(length: String) async throws {
        let header = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n"
        let answer = try await listening().exchange(Data(header.utf8))
        #expect(try LoopbackClient.parse(answer).status == 413)
    }

    @Test(arguments: [[1000], [1, 998, 1], [400, 600]])
    func `a body in pieces arrives whole`(pieces: [Int]) async throws {
        let answer = try await listening().exchange(chunked(pieces))
        #expect(try LoopbackClient.parse(answer).text == "1000")
    }

    @Test(arguments: [[1001], [1000, 1], [600, 600], [100_000], [1001, 1, 1]])
    func `a longer body in pieces is refused`(pieces: [Int]) async throws {
        let answer = try await listening().exchange(chunked(pieces))
        let response = try LoopbackClient.parse(answer)
        #expect(response.status == 413)
        #expect(response.text == "too large")
    }

    @Test func `after a refusal the server goes on`() async throws {
        let listening = try listening()
        _ = try await post(Self.limit + 1, to: listening)
        #expect(try await post(5, to: listening).text == "5")
    }
}
