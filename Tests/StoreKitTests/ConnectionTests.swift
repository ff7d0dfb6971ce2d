import Foundation
import FoundationNetworking
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

@Suite(.timeLimit(.minutes(1))) struct ConnectionsToTheStore {
    /// One that waits over a connection that nothing was sent over before keeps a processor
    /// busy (see `URLSessionTransport`).
    @Test func `requests for events have a connection that no other request takes`() async throws {
        let server = try ConnectionServer()
        let transport = URLSessionTransport()
        for path in [
            DeviceRoute.products, DeviceRoute.events, DeviceRoute.products, DeviceRoute.unfinished,
            DeviceRoute.events + "?after=1&wait=45",
        ] {
            let url = try #require(URL(string: server.address + path))
            let (_, response) = try await transport.send(URLRequest(url: url))
            #expect(response.statusCode == 200)
        }
        // Each connection by the order in which it came.
        #expect(server.connections == [1, 2, 1, 1, 2])
    }
}

/// Answers everything with an empty object, and notes which connection a request came over.
private final class ConnectionServer: Sendable {
    let address: String
    private let listener: FileHandle
    private let seen: Notes

    private final class Notes: Sendable {
        let connections = Mutex<[Int]>([])
    }

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        listener = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        try #require(isBound)
        address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
        let notes = Notes()
        seen = notes
        Thread.detachNewThread {
            var count = 0
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                count += 1
                let number = count
                Thread.detachNewThread { Self.serve(connection, number, notes) }
            }
        }
    }

    deinit {
        // Lets the waiting `accept` go.
        shutdown(listener.fileDescriptor, Int32(SHUT_RDWR))
    }

    /// The number of the connection of each request.
    var connections: [Int] { seen.connections.withLock { $0 } }

    private static func serve(_ connection: Int32, _ number: Int, _ notes: Notes) {
        defer { close(connection) }
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)
        var received = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            received += String(decoding: buffer[..<count], as: UTF8.self)
            guard received.contains("\r\n\r\n") else { continue }
            received = ""
            notes.connections.withLock { $0.append(number) }
            guard write(connection, answer, answer.count) == answer.count else { return }
        }
    }
}
