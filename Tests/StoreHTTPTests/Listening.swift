import Foundation
import StoreHTTP
import StoreTestSupport

/// A server on a free loopback port that stops with its last user.
final class Listening: Sendable {
    let server: HTTPServer
    private let client: LoopbackClient

    init(
        bodyLimit: Int = 1 << 20, spooling: BodySpooling? = nil,
        observe: (@Sendable (HTTPServer.Record) -> Void)? = nil,
        admission: @escaping Admission = { _ in nil },
        stopping: @escaping @Sendable (HTTPServer.Unanswered) -> HTTPResponse = { _ in
            HTTPResponse(status: 503)
        },
        change: (inout HTTPServer.Configuration) -> Void = { _ in },
        handler: @escaping Router.Handler
    ) throws {
        var configuration = HTTPServer.Configuration(
            idleSeconds: 3600, bodyLimit: bodyLimit, spooling: spooling)
        configuration.timeouts = .endless
        change(&configuration)
        server = try HTTPServer(
            configuration, handler: handler,
            admission: admission,
            bodyTooLarge: { _, _ in HTTPResponse(status: 413, body: Data("too large".utf8)) },
            stopping: stopping, observe: observe)
        client = LoopbackClient(port: server.port)
    }

    deinit {
        server.stopAside()
    }

    func get(_ path: String) async throws -> HTTPResponse {
        try await send(HTTPRequest(method: "GET", path: path))
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await client.send(request)
    }

    /// Sends bytes as they are, and gives the bytes of the answer.
    ///
    /// - Parameter rest: sent once something of the answer is there.
    func exchange(_ bytes: Data, then rest: Data = Data()) async throws -> Data {
        try await client.exchange(bytes, then: rest)
    }
}

extension HTTPServer {
    /// Stops on a thread of its own: it waits for requests whose tasks may need this one.
    func stopAside() {
        Thread.detachNewThread { self.stop() }
    }
}

extension RequestTimeouts {
    /// For tests that are about something else: on a busy machine everybody is a slow client.
    static let endless = RequestTimeouts(header: .seconds(3600), grace: .seconds(3600))
}

extension TestCertificate {
    private static let made = OnceEach<[String], TestCertificate>()

    /// One for some names that tests share.
    static func shared(_ names: [String]) async throws -> TestCertificate {
        try await made.value(for: names) { try await TestCertificate(names) }
    }
}

/// Lets those who wait pass once somebody opens it.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func pass() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
