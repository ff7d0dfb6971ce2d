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
        let requests = Mutex<[HTTPRequest]>([])

        func add(_ request: HTTPRequest) -> Int {
            requests.withLock { requests in
                requests.append(request)
                return requests.count
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
        server = try HTTPServer(
            HTTPServer.Configuration(certificate: certificate),
            handler: { request in .later { await answer(received.add(request), request) } },
            bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
    }

    deinit {
        // Stopping waits for requests whose tasks may need this very thread.
        Thread.detachNewThread { [server] in server.stop(grace: .zero) }
    }

    var address: String { "\(isTLS ? "https" : "http")://127.0.0.1:\(server.port)" }
    var url: String { address + "/notifications" }

    var requests: [HTTPRequest] { received.requests.withLock { $0 } }

    /// The signed payloads of what has come, in order.
    func payloads() throws -> [String] {
        try requests.map { try JSONDecoder().decode(NotificationBody.self, from: $0.body) }
            .map(\.signedPayload)
    }
}
