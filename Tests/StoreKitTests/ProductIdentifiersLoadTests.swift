import Foundation
import StoreHTTP
@testable import StoreKit
import StoreTestSupport
import Synchronization
import Testing

struct ProductIdentifiersLoading {
    @Test func `a list comes from the server in its order`() async throws {
        let server = try ListServer()
        server.answers(200, #"["com.example.b", "com.example.a"]"#)
        let list = try await server.list().load()
        #expect(list.identifiers == ["com.example.b", "com.example.a"])
        #expect(list.source == .network && list.fallbackError == nil)
        let request = try #require(server.takeRequests().first)
        #expect(request.path == "/products_v1.json")
        #expect(request.headers["If-None-Match"] == nil)
        #expect(request.headers["If-Modified-Since"] == nil)
        #expect(request.headers["Accept"] == "application/json")
    }

    @MainActor @Test func `loading keeps the main thread free`() async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#, [("Cache-Control", "max-age=60")])
        let clock = server.clock
        let threads = Mutex<[Bool]>([])
        let list = server.list(now: {
            threads.withLock { $0.append(Thread.isMainThread) }
            return clock.now()
        })
        for source in [OpenStoreProductIdentifiers.Source.network, .cache] {
            #expect(try await list.load().source == source)
        }
        // What is asked for the time reads and writes the copy on disk, too.
        let seen = threads.withLock { $0 }
        #expect(seen.count >= 2 && !seen.contains(true))
    }

    @Test func `a fresh copy is used without asking, also after a relaunch`() async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#, [("Cache-Control", "max-age=60")])
        _ = try await server.list().load()
        server.answers(200, #"["b"]"#, [("Cache-Control", "max-age=60")])
        server.clock.advance(by: 59)
        let kept = try await server.list().load()
        #expect(kept.identifiers == ["a"] && kept.source == .cache)
        #expect(server.takeRequests().count == 1)
        server.clock.advance(by: 1)
        let fresh = try await server.list().load()
        #expect(fresh.identifiers == ["b"] && fresh.source == .network)
    }

    @Test func `a forced load asks although the copy is fresh`() async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#, [("Cache-Control", "max-age=60")])
        _ = try await server.list().load()
        server.answers(200, #"["b"]"#)
        #expect(try await server.list().load(forced: true).identifiers == ["b"])
    }

    @Test func `an old copy is revalidated by tag and date, and is fresh again`() async throws {
        let server = try ListServer()
        let modified = httpDate(server.clock.now() - 86_400)
        server.answers(
            200, #"["a"]"#,
            [("ETag", "\"v7\""), ("Last-Modified", modified), ("Cache-Control", "max-age=60")])
        _ = try await server.list().load()
        server.clock.advance(by: 61)
        server.answers(304, "", [("ETag", "\"v7\"")])
        _ = server.takeRequests()
        let list = try await server.list().load()
        #expect(list.identifiers == ["a"] && list.source == .revalidated)
        let request = try #require(server.takeRequests().first)
        #expect(request.headers["If-None-Match"] == "\"v7\"")
        #expect(request.headers["If-Modified-Since"] == modified)
        // The 304 named no new time to live, so the old one counts from now.
        server.clock.advance(by: 59)
        #expect(try await server.list().load().source == .cache)
        server.clock.advance(by: 1)
        #expect(try await server.list().load().source == .revalidated)
    }

    @Test func `a 304 about another file is asked again without conditions`() async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#, [("ETag", "\"v1\"")])
        _ = try await server.list().load()
        server.answers { request in
            guard request.headers["If-None-Match"] == nil else {
                return .now(HTTPResponse(status: 304, headers: ["ETag": "\"v2\""]))
            }
            return .now(HTTPResponse(status: 200, body: Data(#"["b"]"#.utf8)))
        }
        let list = try await server.list().load()
        #expect(list.identifiers == ["b"] && list.source == .network)
    }

    @Test func `what must not be kept leaves no copy behind`() async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#, [("ETag", "\"v1\"")])
        _ = try await server.list().load()
        server.answers(200, #"["b"]"#, [("Cache-Control", "no-store")])
        #expect(try await server.list().load().identifiers == ["b"])
        #expect(try Self.copies(server).isEmpty)
        try await server.goOffline()
        await #expect(throws: URLError.self) { try await server.list().load() }
    }

    @Test func `offline, the last good copy is used and the reason told`() async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#)
        _ = try await server.list().load()
        try await server.goOffline()
        server.clock.advance(by: 86_400 * 365)
        let list = try await server.list().load()
        #expect(list.identifiers == ["a"] && list.source == .lastGoodCopy)
        #expect(list.fallbackError is URLError)
        #expect(server.log.count == 1)
    }

    @Test func `offline without a copy is an error`() async throws {
        let server = try ListServer()
        try await server.goOffline()
        await #expect(throws: URLError.self) { try await server.list().load() }
    }

    @Test(arguments: ["must-revalidate", "no-cache", "max-age=0, must-revalidate"])
    func `offline, a copy that the server wants to be asked about is not used`(
        _ field: String
    ) async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#, [("Cache-Control", field), ("ETag", "\"v1\"")])
        _ = try await server.list().load()
        server.answers(304)
        #expect(try await server.list().load().source == .revalidated)
        try await server.goOffline()
        await #expect(throws: URLError.self) { try await server.list().load() }
    }

    @Test(arguments: [
        (200, "[1]", "[0] is the number 1"), (200, "<html>", "is not JSON"),
        (500, "", "status 500"), (404, #"["b"]"#, "status 404"), (304, "", "without conditions"),
    ])
    func `an answer that is no list does not replace the last good copy`(
        _ status: Int, _ body: String, _ text: String
    ) async throws {
        let server = try ListServer()
        server.answers(status, body)
        let error = await #expect(throws: OpenStoreProductIdentifiersError.self) {
            try await server.list().load()
        }
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
        guard status != 304 else { return }
        server.answers(200, #"["a"]"#)
        _ = try await server.list().load()
        server.answers(status, body)
        for _ in 0..<2 {
            let list = try await server.list().load()
            #expect(list.identifiers == ["a"] && list.source == .lastGoodCopy)
            let reason = list.fallbackError as? OpenStoreProductIdentifiersError
            #expect(reason?.description.contains(text) == true)
        }
    }

    @Test func `of an answer over the limit no more is taken than the limit`() async throws {
        let server = try ListServer()
        let limit = ProductIdentifierFile.byteLimit
        server.answers(200, String(repeating: " ", count: 4 * limit) + "[]")
        let transport = CountingTransport()
        await #expect(throws: OpenStoreProductIdentifiersError(.tooLarge, "")) {
            try await server.list(transport: transport).load()
        }
        #expect(transport.count <= limit)
        #expect(transport.count > 0)
    }

    @Test func `a server that does not answer is given up on`() async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#)
        _ = try await server.list().load()
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        defer { end.finish() }
        server.answers { _ in
            .later {
                arrival.yield()
                for await _ in ends {}
                return HTTPResponse(status: 200, body: Data(#"["b"]"#.utf8))
            }
        }
        // Time is over as soon as the server has the request.
        let list = try await server.list(timeLimit: { for await _ in arrivals { return } }).load()
        #expect(list.source == .lastGoodCopy)
        #expect((list.fallbackError as? URLError)?.code == .timedOut)
    }

    @Test(arguments: ["", "{}", "[]", #"{"format":2}"#, "\u{0}\u{1}"])
    func `a damaged copy is left out and replaced`(_ damage: String) async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#, [("Cache-Control", "max-age=60"), ("ETag", "\"v1\"")])
        _ = try await server.list().load()
        let file = try #require(try Self.copies(server).first)
        try Data(damage.utf8).write(to: file)
        _ = server.takeRequests()
        #expect(try await server.list().load().source == .network)
        #expect(server.takeRequests().first?.headers["If-None-Match"] == nil)
        #expect(try await server.list().load().source == .cache)
    }

    @Test func `a cache that can't be written costs nothing but the cache`() async throws {
        let server = try ListServer()
        server.answers(200, #"["a"]"#)
        try server.folder.write("cache", "a file where the folder belongs")
        #expect(try await server.list().load().identifiers == ["a"])
        #expect(server.log.contains { $0.contains("can't be kept") })
    }

    @Test(arguments: ["file:///etc/passwd", "products_v1.json", "ftp://example.com/x", "http://"])
    func `only servers are asked`(_ address: String) async throws {
        let folder = try TemporaryFolder()
        let list = OpenStoreProductIdentifiers(
            serverURL: try #require(URL(string: address)), cacheFolder: folder.url)
        let error = await #expect(throws: URLError.self) { try await list.load() }
        #expect(error?.code == .unsupportedURL)
    }

    @Test func `without a profile the cache is found by the app's name`() {
        let folder = ProductIdentifierCache.folder(environment: ["XDG_CACHE_HOME": "/cache"])
        #expect(folder.path.hasPrefix("/cache/"))
        #expect(folder.path.hasSuffix("/StoreKit/ProductIdentifiers"))
    }

    private static func copies(_ server: ListServer) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: server.folder.file("cache"), includingPropertiesForKeys: nil)
    }
}
