import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@Suite struct StoppingTests {
    /// A server with a request that waits until it is let go.
    private final class Busy: Sendable {
        private let arrived = Gate()
        private let leaving = Gate()
        private let stopped = Gate()
        private let log: Log
        private let listening: Listening

        private final class Log: Sendable {
            let events = Mutex<[String]>([])
        }

        init() throws {
            let (arrived, leaving, log) = (arrived, leaving, Log())
            self.log = log
            listening = try Listening(
                stopping: { request in
                    HTTPResponse(
                        status: 503,
                        body: Data("\(request.method) \(request.path) \(request.hasBegun)".utf8))
                }
            ) { _ in
                .later {
                    await arrived.open()
                    await leaving.pass()
                    log.events.withLock { $0.append("answered") }
                    return HTTPResponse(status: 200, body: Data("done".utf8))
                }
            }
        }

        var events: [String] { log.events.withLock { $0 } }

        func request() async throws -> HTTPResponse { try await listening.get("/") }

        func waitUntilArrived() async { await arrived.pass() }

        func letGo() async { await leaving.open() }

        /// Stops on a thread of its own: it blocks.
        func stop(grace: Duration) {
            let (listening, log, stopped) = (listening, log, stopped)
            Thread.detachNewThread {
                listening.server.stop(grace: grace)
                log.events.withLock { $0.append("stopped") }
                Task { await stopped.open() }
            }
        }

        func waitUntilStopped() async { await stopped.pass() }
    }

    @Test func `stopping waits for a running request`() async throws {
        let busy = try Busy()
        async let response = busy.request()
        await busy.waitUntilArrived()
        busy.stop(grace: .seconds(600))
        await busy.letGo()
        #expect(try await response.text == "done")
        await busy.waitUntilStopped()
        #expect(busy.events == ["answered", "stopped"])
    }

    @Test(arguments: [Duration.zero, .milliseconds(1)])
    func `a request that outlasts the grace is told that the server stops`(
        grace: Duration
    ) async throws {
        let busy = try Busy()
        async let response = busy.request()
        await busy.waitUntilArrived()
        busy.stop(grace: grace)
        let answer = try await response
        #expect(answer.status == 503)
        #expect(answer.text == "GET / true")
        await busy.waitUntilStopped()
        #expect(busy.events == ["stopped"])
        // The work goes on and finds nobody to answer.
        await busy.letGo()
    }

    @Test func `who keeps a connection, or has just made one, is answered and told to leave`()
        async throws
    {
        let listening = try Listening(change: { $0.timeouts.farewell = .seconds(600) }) { _ in
            .now(HTTPResponse(status: 200, body: Data("here it is".utf8)))
        }
        let port = listening.server.port
        let kept = try HeldConnection(port: port)
        let ask = { (connection: HeldConnection) in
            await connection.exchange(
                "GET / HTTP/1.1\r\nHost: here\r\n\r\n", until: "here it is")
        }
        let first = await ask(kept)
        #expect(first.contains("200 OK") && !first.contains("Connection: close"))
        let fresh = try HeldConnection(port: port)
        let stopped = Gate()
        let server = listening.server
        Thread.detachNewThread {
            server.stop()
            Task { await stopped.open() }
        }
        // From the moment on at which nobody else gets in.
        try await until { (try? HeldConnection(port: port)) == nil }
        for one in [fresh, kept] {
            let answer = await ask(one)
            #expect(answer.contains("200 OK") && answer.contains("Connection: close"), "\(answer)")
        }
        await stopped.pass()
    }
}
