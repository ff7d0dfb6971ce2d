import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@Suite struct RequestTraceTests {
    @Test func `every answer carries the identifier that handler, task and log know`() async throws
    {
        let records = Mutex<[HTTPServer.Record]>([])
        let gate = Gate()
        let listening = try Listening(observe: { record in
            let count = records.withLock { records in
                records.append(record)
                return records.count
            }
            if count == 4 { Task { await gate.open() } }
        }) { request in
            let seen = RequestTrace.current?.id ?? "none"
            guard request.path == "/later" else {
                return .now(HTTPResponse(status: 200, body: Data(seen.utf8)))
            }
            return .later {
                await Task.yield()
                let later = await Task { RequestTrace.current?.id ?? "none" }.value
                return HTTPResponse(status: 500, body: Data(later.utf8))
            }
        }
        var identifiers: [String] = []
        for path in ["/now", "/later", "/now", "/a%00"] {
            let answer = try await listening.get(path)
            let identifier = try #require(answer.headers["X-Request-ID"])
            if path != "/a%00" { #expect(answer.text == identifier) }
            identifiers.append(identifier)
        }
        await gate.pass()
        #expect(Set(identifiers).count == 4)
        // Each connection's end is noted by its own thread, so in any order.
        #expect(records.withLock { $0.map(\.trace.id) }.sorted() == identifiers.sorted())
        for identifier in identifiers {
            let uuid = UUID(uuidString: identifier)
            #expect(uuid != nil, "\(identifier)")
            // Version 4, variant 10 (RFC 9562).
            #expect(identifier.dropFirst(14).first == "4")
            #expect(identifier.dropFirst(19).first.map { "89ab".contains($0) } == true)
        }
    }

    @Test(arguments: [
        ("abc-1_2.3", true), (String(repeating: "a", count: 64), true),
        (String(repeating: "a", count: 65), false), ("a b", false), ("a\"b", false), ("é", false),
        ("a=b", false), ("", false), ("a/b", false),
    ])
    func `a proxy's identifier is kept where it is plain`(
        _ given: String, _ isKept: Bool
    ) async throws {
        let listening = try Listening { _ in .now(HTTPResponse(status: 200)) }
        let answer = try await listening.send(
            HTTPRequest(method: "GET", path: "/", headers: ["X-Request-ID": given]))
        #expect((answer.headers["X-Request-ID"] == given) == isKept)
        #expect(answer.headers.all("X-Request-ID").count == 1)
    }

    @Test func `nobody else's is`() async throws {
        let listening = try Listening(change: { $0.proxies = .none }) { _ in
            .now(HTTPResponse(status: 200))
        }
        let answer = try await listening.send(
            HTTPRequest(method: "GET", path: "/", headers: ["X-Request-ID": "mine"]))
        #expect(answer.headers["X-Request-ID"] != "mine")
    }

    @Test func `the route that took a request is known behind it`() async throws {
        let router = Router(
            routes: [
                Router.Route(.get, "/a") { _ in .now(HTTPResponse(status: 200)) },
                Router.Route(.get, "/b/{id}") { _ in .now(HTTPResponse(status: 200)) },
            ], unknownPath: { _ in HTTPResponse(status: 404) },
            wrongMethod: { _, _ in HTTPResponse(status: 405) })
        #expect(router.routes.map(\.pattern) == ["/a", "/b/{id}"])
        for (method, path, route) in [
            ("GET", "/b/7", 1), ("GET", "/a", 0), ("GET", "/c", nil), ("POST", "/a", nil),
        ] {
            var request = HTTPRequest(method: method, path: path)
            request.trace = RequestTrace(id: "x")
            _ = router.respond(to: request)
            #expect(request.trace?.route == route)
        }
    }
}
