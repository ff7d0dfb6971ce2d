import Foundation
import StoreHTTP
import StoreTestSupport
import Synchronization
import Testing

@Suite struct ListeningTests {
    private func start(host: String = "127.0.0.1", port: UInt16 = 0) throws -> HTTPServer {
        try HTTPServer(
            HTTPServer.Configuration(host: host, port: port),
            handler: { _ in .now(HTTPResponse(status: 200, body: Data("here".utf8))) },
            bodyTooLarge: { _, _ in HTTPResponse(status: 413) })
    }

    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0"])
    func `port 0 is a free port that answers`(host: String) async throws {
        let server = try start(host: host)
        defer { server.stopAside() }
        #expect(server.port > 0)
        let response = try await LoopbackClient(port: server.port)
            .send(HTTPRequest(method: "GET", path: "/"))
        #expect(response.text == "here")
    }

    /// A port that somebody has.
    private final class TakenPort: Sendable {
        let number: UInt16
        private let descriptor: Int32

        /// - Parameter listens: where nobody listens at it, a server that names the port may have
        ///   it too, and no one who asks for any free port.
        init(listens: Bool) throws {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            self.descriptor = descriptor
            var yes: Int32 = 1
            if !listens {
                setsockopt(
                    descriptor, SOL_SOCKET, SO_REUSEADDR, &yes,
                    socklen_t(MemoryLayout<Int32>.size))
            }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, length) + (listens ? listen(descriptor, 1) : 0)
                        + getsockname(descriptor, address, &length)
                }
            }
            number = UInt16(bigEndian: address.sin_port)
            try #require(status == 0)
        }

        deinit { close(descriptor) }
    }

    @Test func `a port that another program listens on is a clear error`() throws {
        let taken = try TakenPort(listens: true)
        let port = taken.number
        #expect {
            try start(port: port)
        } throws: {
            "\($0)" == "cannot listen on 127.0.0.1:\(port): Address already in use"
        }
        withExtendedLifetime(taken) {}
    }

    @Test(arguments: ["", "example.com", "127.0.0.256", "127.1", "::g", "127.0.0.1:80"])
    func `a host that is no address is a clear error`(host: String) {
        #expect {
            try start(host: host)
        } throws: {
            "\($0)".contains("\"\(host)\" is not an address") && "\($0)".contains("127.0.0.1")
        }
    }

    @Test func `an address of another machine is a clear error`() {
        // TEST-NET-1 (RFC 5737).
        #expect {
            try start(host: "192.0.2.1")
        } throws: {
            "\($0)".hasPrefix("cannot listen on 192.0.2.1:0: ")
        }
    }

    @Test func `a stopped server can be stopped again and leaves its port`() async throws {
        // Nobody else can come to listen there.
        let taken = try TakenPort(listens: false)
        let server = try start(port: taken.number)
        let client = LoopbackClient(port: server.port)
        #expect(try await client.send(HTTPRequest(method: "GET", path: "/")).text == "here")
        try await onThread {
            server.stop()
            server.stop()
        }
        await #expect(throws: LoopbackError.self) {
            try await client.send(HTTPRequest(method: "GET", path: "/"))
        }
        withExtendedLifetime(taken) {}
    }
}
