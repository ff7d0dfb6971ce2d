import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@Suite struct HTTPServerTests {
    static let ways: [@Sendable (HTTPResponse) -> HTTPOutcome] = [
        { .now($0) }, { response in .later { response } },
        { response in
            .later {
                await Task.yield()
                return response
            }
        },
    ]

    @Test(arguments: ways.indices)
    func `an answer arrives with status, header and body`(way: Int) async throws {
        let listening = try Listening { _ in
            Self.ways[way](
                HTTPResponse(
                    status: 418, headers: ["X-Pot": "tea", "X-Cup": "日本"],
                    body: Data("short and stout".utf8)))
        }
        let response = try await listening.get("/pot")
        #expect(response.status == 418)
        #expect(response.headers["x-pot"] == "tea")
        #expect(response.headers["x-cup"] == "日本")
        #expect(response.headers["Content-Length"] == "15")
        #expect(response.text == "short and stout")
    }

    @Test(arguments: ways.indices)
    func `a handler sees the request as it was sent`(way: Int) async throws {
        let listening = try Listening { request in
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            let text = [
                request.method, request.path, query, request.headers["x-color"] ?? "none",
                String(decoding: request.body, as: UTF8.self),
            ].joined(separator: "|")
            return Self.ways[way](HTTPResponse(status: 200, body: Data(text.utf8)))
        }
        let response = try await listening.send(
            HTTPRequest(
                method: "POST", path: "/a%20b/%E6%97%A5//c",
                query: [("x", "1%202"), ("y", ""), ("x", "3")],
                headers: ["X-Color": "red"], body: Data("body".utf8)))
        #expect(response.text == "POST|/a b/日//c|x=1 2;y=;x=3|red|body")
    }

    @Test(arguments: ways.indices)
    func `an answer to HEAD has a length and no body`(way: Int) async throws {
        let listening = try Listening { _ in
            Self.ways[way](HTTPResponse(status: 200, body: Data("hidden".utf8)))
        }
        let response = try await listening.send(HTTPRequest(method: "HEAD", path: "/"))
        #expect(response.headers["Content-Length"] == "6")
        #expect(response.data.isEmpty)
    }

    @Test func `many waiting requests get their own answers`() async throws {
        let count = 200
        let gate = Gate()
        let waiting = Mutex(0)
        let listening = try Listening { request in
            .later {
                let isLast = waiting.withLock { waiting in
                    waiting += 1
                    return waiting == count
                }
                // None is answered before all are there: waiting costs no thread.
                if isLast { await gate.open() }
                await gate.pass()
                return HTTPResponse(status: 200, body: Data(request.path.utf8))
            }
        }
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await listening.get("/\(number)").text == "/\(number)"
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 0 : 1) }
        }
        #expect(wrong == 0)
    }

    @Test func `a connection takes one request after the other`() async throws {
        let listening = try Listening { request in
            request.path == "/later"
                ? .later { HTTPResponse(status: 200, body: Data("L".utf8)) }
                : .now(HTTPResponse(status: 200, body: Data("N".utf8)))
        }
        func line(_ path: String, _ connection: String) -> String {
            "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: \(connection)\r\n\r\n"
        }
        let answer = try await listening.exchange(
            Data(
                (line("/later", "keep-alive") + line("/now", "keep-alive")
                    + line("/later", "close")).utf8))
        let bodies = String(decoding: answer, as: UTF8.self)
            .components(separatedBy: "HTTP/1.1 200 OK").dropFirst().map { $0.suffix(1) }
        #expect(bodies == ["L", "N", "L"])
    }

    @Test func `each answered request is observed`() async throws {
        let gate = Gate()
        let records = Mutex<[HTTPServer.Record]>([])
        let listening = try Listening(observe: { record in
            records.withLock { $0.append(record) }
            Task { await gate.open() }
        }) { _ in .later { HTTPResponse(status: 404) } }
        _ = try await listening.get("/missing%0A")
        await gate.pass()
        let record = try #require(records.withLock { $0.first })
        #expect(record.method == "GET")
        #expect(record.path == "/missing\n")
        #expect(record.status == 404)
        #expect(record.duration >= .zero)
        #expect(records.withLock { $0.count } == 1)
    }
}
