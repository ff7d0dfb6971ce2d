import Foundation
import StoreModel
import Synchronization
import Testing

@testable import StoreContent

/// An object store whose answers have headers that begin as if they went on.
struct FoldedHeaderTests {
    /// Answers requests on a loopback port with some bytes in turn, and closes each connection.
    private final class Server: Sendable {
        let port: UInt16
        private let listener: Int32

        init(_ answers: [String]) throws {
            let listener = socket(
                AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_addr.s_addr = inet_addr("127.0.0.1")
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                        && getsockname(listener, pointer, &length) == 0
                }
            }
            try #require(isBound)
            self.listener = listener
            port = UInt16(bigEndian: name.sin_port)
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

    @Test func `a header that begins with a blank is an error or none, and breaks nothing`() throws
    {
        let rest =
            "C: \(String(repeating: "d", count: 300))\r\nContent-Length: 5\r\n"
            + "Connection: close\r\n\r\n"
        let server = try Server([
            "HTTP/1.1 200 OK\r\n\(rest)", "HTTP/1.1 200 OK\r\n A: b\r\n\(rest)",
        ])
        var patience = ObjectPatience()
        patience.attempts = 1
        let client = ObjectClient(
            try ObjectLocation("s3://bucket?endpoint=http://127.0.0.1:\(server.port)"),
            credentials: ObjectCredentials(accessKey: "id", secret: "secret"), patience: patience)
        for _ in 0..<20 {
            #expect(try client.length(of: "name") == 5)
            _ = try? client.length(of: "name")
        }
    }
}
