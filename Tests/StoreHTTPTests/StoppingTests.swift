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

    /// Sends requests over one connection, one after the other.
    private final class Keeping {
        private let descriptor: Int32

        init(port: UInt16) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }

        deinit { close(descriptor) }

        /// The answer; what has come until the connection ends where there is none.
        func ask() -> String {
            let request = Array("GET / HTTP/1.1\r\nHost: here\r\n\r\n".utf8)
            send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
            var answer: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 4096)
            while !answer.suffix(10).elementsEqual("here it is".utf8) {
                let count = recv(descriptor, &bytes, bytes.count, 0)
                guard count > 0 else { break }
                answer += bytes[..<count]
            }
            return String(decoding: answer, as: UTF8.self)
        }
    }

    @Test func `who keeps a connection, or has just made one, is answered and told to leave`()
        async throws
    {
        let listening = try Listening(change: { $0.patience.farewell = .seconds(600) }) { _ in
            .now(HTTPResponse(status: 200, body: Data("here it is".utf8)))
        }
        let port = listening.server.port
        let kept = try Keeping(port: port)
        #expect(kept.ask().contains("200 OK") && !kept.ask().contains("Connection: close"))
        let fresh = try Keeping(port: port)
        let stopped = Gate()
        let server = listening.server
        Thread.detachNewThread {
            server.stop()
            Task { await stopped.open() }
        }
        // From the moment on at which nobody else gets in.
        while (try? Keeping(port: port)) != nil { await Task.yield() }
        for one in [fresh, kept] {
            let answer = one.ask()
            #expect(answer.contains("200 OK") && answer.contains("Connection: close"), "\(answer)")
        }
        await stopped.pass()
    }
}
