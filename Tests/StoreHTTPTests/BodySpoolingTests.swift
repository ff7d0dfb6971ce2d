import Foundation
import StoreTestSupport
import Testing

@testable import StoreHTTP

/// Bodies that go to disk while they come in.
@Suite struct BodySpoolingTests {
    /// Answers with where the body was, and its length and last byte.
    private static func answer(_ request: HTTPRequest) -> HTTPResponse {
        let pieces = request.bodyPieces()
        var count = 0
        var last: UInt8 = 0
        do {
            while case let piece = try pieces(), let end = piece.last {
                count += piece.count
                last = end
            }
        } catch {
            return HTTPResponse(status: 500, body: Data("\(error)".utf8))
        }
        let place = request.bodyFile == nil ? "memory" : "file"
        return HTTPResponse(status: 200, body: Data("\(place) \(count) \(last)".utf8))
    }

    private func listening(
        count: Int = 8, folder: URL = FileManager.default.temporaryDirectory, reserve: Int64 = 0,
        handler: @escaping Router.Handler = { .now(BodySpoolingTests.answer($0)) }
    ) throws -> Listening {
        try Listening(
            bodyLimit: 1000,
            spooling: BodySpooling(
                limit: { $0 == "/large" ? 3_000_000 : nil }, count: count, folder: folder,
                reserve: reserve),
            handler: handler)
    }

    private func request(
        _ count: Int, path: String = "/large", method: String = "POST"
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, path: path, body: Data(repeating: 7, count: max(0, count - 1)) + [9])
    }

    @Test(arguments: [1, 1000, 1001, 65_536, 65_537, 3_000_000], ["POST", "PUT"])
    func `a body arrives whole in a file`(_ count: Int, _ method: String) async throws {
        let response = try await listening().send(request(count, method: method))
        #expect(response.status == 200)
        #expect(response.text == "file \(count) 9")
    }

    @Test func `no body is an empty file`() async throws {
        let response = try await listening().send(HTTPRequest(method: "POST", path: "/large"))
        #expect(response.text == "file 0 0")
    }

    @Test func `other paths and methods keep their limit, and memory`() async throws {
        let listening = try listening()
        #expect(try await listening.send(request(900, path: "/small")).text == "memory 900 9")
        #expect(try await listening.send(request(1001, path: "/small")).status == 413)
        #expect(try await listening.send(request(1001, method: "PATCH")).status == 413)
    }

    @Test func `a longer body is refused, announced or not`() async throws {
        let listening = try listening()
        #expect(try await listening.send(request(3_000_001)).status == 413)
        var bytes = Data(
            """
            POST /large HTTP/1.1\r
            Host: x\r
            Connection: close\r
            Transfer-Encoding: chunked\r
            \r

            """.utf8)
        for _ in 0..<4 {
            bytes += Data("f4240\r\n".utf8) + Data(repeating: 7, count: 1_000_000)
            bytes += Data("\r\n".utf8)
        }
        let answer = try await listening.exchange(bytes + Data("0\r\n\r\n".utf8))
        #expect(try LoopbackClient.parse(answer).status == 413)
        #expect(try await listening.send(request(5)).text == "file 5 9")
    }

    @Test func `so many at a time, and more once they are done`() throws {
        let spool = BodySpool(BodySpooling(limit: { _ in 64 << 20 }, count: 2))
        let first = spool.begin(.admitted)
        let second = spool.begin(.admitted)
        #expect(first != nil && second != nil)
        #expect(spool.begin(.admitted) == nil)
        spool.end(.admitted)
        #expect(spool.begin(.admitted) != nil)
        #expect(spool.begin(.admitted) == nil)
    }

    @Test func `one too many is told to come again`() async throws {
        let response = try await listening(count: 0).send(request(6))
        #expect(response.status == 503)
        #expect(response.headers["Retry-After"] == "2")
    }

    /// A body whose length nobody announces.
    private static func chunked(_ count: Int, path: String) -> Data {
        Data(
            """
            POST \(path) HTTP/1.1\r
            Host: x\r
            Connection: close\r
            Transfer-Encoding: chunked\r
            \r
            \(String(count, radix: 16))\r

            """.utf8) + Data(repeating: 7, count: count) + Data("\r\n0\r\n\r\n".utf8)
    }

    /// `/large` for those who were admitted, and `/open` for anyone.
    private func listening(
        count: Int, openCount: Int, openDuration: Duration = .seconds(3600)
    ) throws -> Listening {
        try Listening(
            spooling: BodySpooling(
                limit: { ["/large", "/open"].contains($0) ? 3_000_000 : nil },
                openMemory: { $0 == "/open" ? 1000 : nil }, count: count, openCount: openCount,
                openDuration: openDuration),
            handler: { .now(Self.answer($0)) })
    }

    @Test(arguments: [(1, "memory"), (1000, "memory"), (1001, "file"), (2_000_000, "file")])
    func `what anyone may send goes to disk once it is large, announced or not`(
        _ count: Int, _ place: String
    ) async throws {
        let listening = try listening(count: 0, openCount: 1)
        let answer = try await listening.exchange(Self.chunked(count, path: "/open"))
        #expect(try LoopbackClient.parse(answer).text == "\(place) \(count) 7")
        var response = try await listening.send(request(count, path: "/open"))
        while response.status == 503 {
            response = try await listening.send(request(count, path: "/open"))
        }
        #expect(response.text == "\(place) \(count) 9")
    }

    @Test func `what anyone may send takes no room of those who were admitted`() async throws {
        let listening = try listening(count: 1, openCount: 0)
        for bytes in [Self.chunked(1001, path: "/open"), Self.chunked(900_000, path: "/open")] {
            #expect(
                try LoopbackClient.parse(try await listening.exchange(bytes)).status == 503)
        }
        #expect(try await listening.send(request(1001, path: "/open")).status == 503)
        #expect(try await listening.send(request(1000, path: "/open")).text == "memory 1000 9")
        #expect(try await listening.send(request(5)).text == "file 5 9")
    }

    @Test func `what anyone may send has to arrive in time`() async throws {
        let listening = try listening(count: 1, openCount: 1, openDuration: .zero)
        // It gets no answer: the connection is closed.
        await #expect(throws: (any Error).self) {
            try await listening.send(request(2_000_000, path: "/open"))
        }
        #expect(try await listening.send(request(1000, path: "/open")).text == "memory 1000 9")
        #expect(try await listening.send(request(5)).text == "file 5 9")
    }

    @Test func `a request that is over makes room, however it ended`() async throws {
        let listening = try listening(count: 1)
        for count in [5, 3_000_001, 6, 4_000_000, 7] {
            // The end of the connection before is noted after its answer.
            var response = try await listening.send(request(count))
            while response.status == 503 { response = try await listening.send(request(count)) }
            #expect(response.status == (count > 3_000_000 ? 413 : 200))
        }
    }

    @Test func `a disk that takes nothing is said`() async throws {
        let nowhere = URL(fileURLWithPath: "/nowhere/at/all")
        #expect(try await listening(folder: nowhere).send(request(5)).status == 503)
    }

    @Test func `bodies leave some of the disk free`() async throws {
        let response = try await listening(reserve: .max).send(request(5))
        #expect(response.status == 503)
        #expect(try await listening(reserve: 1).send(request(5)).text == "file 5 9")
    }

    @Test func `nothing of a file has a name`() async throws {
        let folder = try TemporaryFolder()
        let file = try AnonymousFile(in: folder.url)
        try file.append(Data("one".utf8))
        try file.append(Data(" two".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        #expect(try file.read(at: 4, upTo: 100) == Array("two".utf8))
        try file.clear()
        #expect(file.count == 0)
        #expect(try file.read(at: 0, upTo: 100) == [])
    }
}
