import Foundation
import StoreHTTP
@testable import StoreKit
import StoreTestSupport
import Synchronization

/// An app's own server on loopback, whose file a test changes, with a device that has a clock
/// and a cache of its own.
final class ListServer: Sendable {
    let clock = SettableClock()
    let folder: TemporaryFolder
    private let server: HTTPServer
    private let state: State

    private struct Answer {
        var function: @Sendable (HTTPRequest) -> HTTPOutcome = { _ in
            .now(HTTPResponse(status: 404))
        }
    }

    private final class State: Sendable {
        let answer = Mutex(Answer())
        let requests = Mutex<[HTTPRequest]>([])
        let log = Mutex<[String]>([])
    }

    init() throws {
        folder = try TemporaryFolder()
        let state = State()
        self.state = state
        server = try HTTPServer(
            .forTests,
            handler: { request in
                state.requests.withLock { $0.append(request) }
                return state.answer.withLock { $0 }.function(request)
            }, bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
    }

    deinit {
        Thread.detachNewThread { [server] in server.stop() }
    }

    /// The list as the app makes it, anew for each call, as after a relaunch.
    func list(
        transport: any RequestTransport = HTTPTransport(), now: (@Sendable () -> Date)? = nil,
        timeLimit: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: .seconds(3600))
        }
    ) -> OpenStoreProductIdentifiers {
        OpenStoreProductIdentifiers(
            serverURL: url("products_v1.json"), reportURL: url("invalid"),
            cacheFolder: folder.file("cache"), transport: transport,
            now: now ?? { [clock] in clock.now() }, timeLimit: timeLimit,
            log: { [state] line in state.log.withLock { $0.append(line) } })
    }

    func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(server.port)/\(path)")! }

    /// The server is gone, as for a device without a network.
    func goOffline() async throws { try await onThread { [server] in server.stop() } }

    /// What the server answers to every request from now on.
    func answers(
        _ status: Int = 200, _ body: String = "", _ headers: [(name: String, value: String)] = []
    ) {
        let now = HTTPHeaders(headers)["Date"] ?? httpDate(clock.now())
        var response = HTTPResponse(
            status: status, headers: HTTPHeaders(headers), body: Data(body.utf8))
        response.headers["Date"] = now
        answers { [response] _ in .now(response) }
    }

    func answers(_ handler: @escaping @Sendable (HTTPRequest) -> HTTPOutcome) {
        state.answer.withLock { $0.function = handler }
    }

    /// The requests so far; forgets them.
    func takeRequests() -> [HTTPRequest] {
        state.requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }

    var log: [String] { state.log.withLock { $0 } }
}

/// A date in the form that HTTP writes.
func httpDate(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: date)
}
