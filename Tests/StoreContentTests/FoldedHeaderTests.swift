import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreContent

/// An object store whose answers have headers that begin as if they went on.
struct FoldedHeaderTests {
    /// Answers requests on a loopback port with some bytes in turn, and closes each connection.
    private final class Server: Sendable {
        let port: UInt16
        private let listener: Int32

        init(_ answers: [String]) throws {
            let socket = try LoopbackListener()
            let listener = socket.descriptor
            self.listener = listener
            port = socket.port
            Thread.detachNewThread {
                var number = 0
                while case let client = accept(listener, nil, nil), client >= 0 {
                    Self.answer(client, Array(answers[number % answers.count].utf8))
                    number += 1
                }
                close(listener)
            }
        }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        private static func answer(_ client: Int32, _ answer: [UInt8]) {
            var (request, buffer) = (Data(), [UInt8](repeating: 0, count: 1 << 12))
            while request.range(of: Data("\r\n\r\n".utf8)) == nil {
                let count = recv(client, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                request += buffer[..<count]
            }
            _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
            close(client)
        }
    }

    @Test func `a header that begins with a blank is an error or none, and breaks nothing`()
        async throws
    {
        let rest =
            "C: \(String(repeating: "d", count: 300))\r\nContent-Length: 5\r\n"
            + "Connection: close\r\n\r\n"
        let server = try Server([
            "HTTP/1.1 200 OK\r\n\(rest)", "HTTP/1.1 200 OK\r\n A: b\r\n\(rest)",
        ])
        var retryPolicy = ObjectRetryPolicy()
        retryPolicy.attempts = 1
        let client = ObjectClient(
            try ObjectLocation("s3://bucket?endpoint=http://127.0.0.1:\(server.port)"),
            credentials: ObjectCredentials(accessKey: "id", secret: "secret"),
            retryPolicy: retryPolicy)
        let lengths = try await onThread {
            try (0..<20).map { _ in
                let length = try client.length(of: "name")
                _ = try? client.length(of: "name")
                return length
            }
        }
        withExtendedLifetime(server) {}
        #expect(lengths.allSatisfy { $0 == 5 })
    }
}
