@testable import StoreAPI
import Foundation
import StoreHTTP
import StoreWire
import Synchronization

/// A publisher's server on a loopback port, which keeps what it is sent.
final class PublisherServer: Sendable {
    typealias Answering = @Sendable (_ number: Int, HTTPRequest) async -> HTTPResponse

    private let server: HTTPServer
    private let isTLS: Bool
    private let received: Received

    private final class Received: Sendable {
        private struct State {
            var requests: [HTTPRequest] = []
            var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

            /// Those who wait for no more than there is.
            mutating func served() -> [CheckedContinuation<Void, Never>] {
                let count = requests.count
                defer { waiting.removeAll { $0.count <= count } }
                return waiting.filter { $0.count <= count }.map(\.continuation)
            }
        }

        private let state = Mutex(State())

        var requests: [HTTPRequest] { state.withLock { $0.requests } }

        /// - Returns: the number of the request.
        func add(_ request: HTTPRequest) -> Int {
            let (number, served) = state.withLock { state in
                state.requests.append(request)
                return (state.requests.count, state.served())
            }
            for continuation in served { continuation.resume() }
            return number
        }

        func wait(for count: Int) async {
            await withCheckedContinuation { continuation in
                let served = state.withLock { state in
                    state.waiting.append((count, continuation))
                    return state.served()
                }
                for continuation in served { continuation.resume() }
            }
        }
    }

    /// - Parameters:
    ///   - certificate: for TLS.
    ///   - answer: gets the number of the request, from 1 on.
    init(
        certificate: ServerCertificate? = nil,
        answer: @escaping Answering = { _, _ in HTTPResponse(status: 200) }
    ) throws {
        let received = Received()
        self.received = received
        isTLS = certificate != nil
        var configuration = HTTPServer.Configuration(idleSeconds: 3600, certificate: certificate)
        configuration.timeouts = .endless
        server = try HTTPServer(
            configuration,
            handler: { request in .later { await answer(received.add(request), request) } },
            bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
    }

    deinit {
        // Stopping waits for requests whose tasks may need this very thread.
        Thread.detachNewThread { [server] in server.stop(grace: .zero) }
    }

    var address: String { "\(isTLS ? "https" : "http")://127.0.0.1:\(server.port)" }
    var url: String { address + "/notifications" }

    var requests: [HTTPRequest] { received.requests }

    /// Waits until so many requests have come.
    func waitForRequests(_ count: Int) async { await received.wait(for: count) }

    /// The signed payloads of what has come, in order.
    func payloads() throws -> [String] {
        try requests.map { try JSONDecoder().decode(NotificationBody.self, from: $0.body) }
            .map(\.signedPayload)
    }
}
