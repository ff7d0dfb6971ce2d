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
}
