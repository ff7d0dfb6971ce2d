import Foundation
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreHTTP

/// What the header decides before a large body is taken.
@Suite struct AdmissionTests {
    /// No file can be made there: a request for which one is wanted gets a 503.
    private static let nowhere = URL(fileURLWithPath: "/nowhere/at/all")

    private func listening(
        folder: URL = FileManager.default.temporaryDirectory, count: Int = 8,
        handler: @escaping Router.Handler = { request in
            .now(HTTPResponse(status: 200, body: Data("\(request.body.count)".utf8)))
        }
    ) throws -> Listening {
        try Listening(
            spooling: BodySpooling(
                limit: { $0 == "/large" ? 64 << 20 : nil }, count: count, folder: folder),
            admission: { request in
                guard request.path != "/free" else { return nil }
                let isKnown = request.headers["Authorization"] == "Bearer right"
                return { isKnown ? nil : HTTPResponse(status: 401, body: Data("who?".utf8)) }
            }, handler: handler)
    }

    private func head(_ method: String, _ path: String, _ more: String) -> Data {
        Data("\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(more)\r\n\r\n".utf8)
    }

    @Test(arguments: [
        ("POST", "/large", "Content-Length: 60000000"), ("POST", "/large", "Content-Length: 5"),
        ("POST", "/large", "Transfer-Encoding: chunked"),
        ("PUT", "/small", "Content-Length: 1000000"),
        ("PATCH", "/small", "Content-Length: 1000000"),
        ("PUT", "/small", "Transfer-Encoding: chunked"),
    ])
    func `who may not is told so before a byte of the body is sent, and no file is made`(
        method: String, path: String, length: String
    ) async throws {
        let listening = try listening(folder: Self.nowhere)
        // The connection ends, although the request never does.
        let answer = try await listening.exchange(head(method, path, length))
        let response = try LoopbackClient.parse(answer)
        #expect(response.status == 401)
        #expect(response.text == "who?")
        #expect(response.headers["Connection"]?.lowercased() == "close")
    }

    @Test func `nobody who is refused is asked to go on`() async throws {
        let more = "Content-Length: 60000000\r\nExpect: 100-continue"
        let answer = try await listening().exchange(head("POST", "/large", more))
        #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 401 "))
    }

    @Test func `who sends the body at once still reads the answer`() async throws {
        let listening = try listening(folder: Self.nowhere)
        var bytes = head("POST", "/large", "Content-Length: 20000000")
        bytes += Data(repeating: 7, count: 20_000_000)
        #expect(try LoopbackClient.parse(try await listening.exchange(bytes)).status == 401)
    }

    @Test func `who goes on sending behind the answer is not cut off`() async throws {
        let listening = try listening(folder: Self.nowhere)
        for _ in 0..<4 {
            let answer = try await listening.exchange(
                head("POST", "/large", "Content-Length: 8000000"),
                then: Data(repeating: 7, count: 8_000_000))
            #expect(try LoopbackClient.parse(answer).status == 401)
        }
        // Nor is one kept who sends without end.
        await #expect(throws: LoopbackError.self) {
            try await listening.exchange(
                head("POST", "/large", "Transfer-Encoding: chunked"),
                then: Data(repeating: 7, count: 80_000_000))
        }
    }

    @Test func `who may has a file made`() async throws {
        let known = HTTPRequest(
            method: "POST", path: "/large", headers: ["Authorization": "Bearer right"],
            body: Data(repeating: 7, count: 100_000))
        #expect(try await listening(folder: Self.nowhere).send(known).status == 503)
        #expect(try await listening().send(known).status == 200)
    }

    @Test func `the header alone is looked at, once`() async throws {
        let seen = Mutex<[(count: Int, query: String?)]>([])
        let listening = try Listening(
            admission: { request in
                seen.withLock { $0.append((request.body.count, request.query.first?.value)) }
                return { nil }
            }, handler: { .now(HTTPResponse(status: 200, body: Data("\($0.body.count)".utf8))) })
        let request = HTTPRequest(
            method: "PUT", path: "/x", query: [(name: "dryRun", value: "true")],
            body: Data(repeating: 7, count: 100_000))
        #expect(try await listening.send(request).text == "100000")
        let calls = seen.withLock { $0 }
        #expect(calls.count == 1)
        #expect(calls.first?.count == 0)
        #expect(calls.first?.query == "true")
    }

    @Test func `small bodies are the handler's matter`() async throws {
        let small = HTTPRequest(
            method: "POST", path: "/small", body: Data(repeating: 7, count: 16 << 10))
        #expect(try await listening().send(small).text == "16384")
        let free = HTTPRequest(
            method: "POST", path: "/free", body: Data(repeating: 7, count: 100_000))
        #expect(try await listening().send(free).text == "100000")
    }

    @Test func `a body without end is not read without end`() async throws {
        let listening = try Listening(
            bodyLimit: 1000, handler: { _ in .now(HTTPResponse(status: 200)) })
        var bytes = head("POST", "/", "Transfer-Encoding: chunked")
        for _ in 0..<64 {
            bytes += Data("f4240\r\n".utf8) + Data(repeating: 7, count: 1_000_000)
            bytes += Data("\r\n".utf8)
        }
        // The last chunk, of no bytes, never comes: the server ends it.
        let sent = bytes
        let answer = try? await listening.exchange(sent)
        #expect(answer?.isEmpty ?? true)
        #expect(try await listening.get("/").status == 200)
    }
}

/// How a router decides by the header.
@Suite struct RouterAdmissionTests {
    private let router = Router(
        routes: [
            Router.Route(
                .put, "/x/{id}",
                admission: { request in
                    request.parameters == ["1"] ? nil : HTTPResponse(status: 403)
                }
            ) { _ in .now(HTTPResponse(status: 200)) },
            Router.Route(.post, "/open") { _ in .now(HTTPResponse(status: 200)) },
        ],
        unknownPath: { _ in HTTPResponse(status: 404) },
        wrongMethod: { _, allowed in
            HTTPResponse(
                status: 405, headers: ["Allow": allowed.map(\.rawValue).joined(separator: " ")])
        })

    private func refusal(_ method: String, _ path: String) async -> HTTPResponse? {
        let work = router.admission(of: HTTPRequest(method: method, path: path))
        return await work?()
    }

    @Test(arguments: [
        ("PUT", "/x/1", nil), ("PUT", "/x/2", 403), ("POST", "/open", nil), ("PUT", "/y", 404),
        ("POST", "/x/1", 405), ("PUT", "/open", 405), ("BREW", "/open", 405),
    ])
    func `a route refuses by its own rule, what has no route by none`(
        method: String, path: String, status: Int?
    ) async {
        #expect(await refusal(method, path)?.status == status)
    }

    @Test func `a wrong method hears of the right ones`() async {
        #expect(await refusal("POST", "/x/1")?.headers["Allow"] == "PUT")
    }
}
