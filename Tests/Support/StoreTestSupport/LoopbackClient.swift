import Foundation
import StoreHTTP

/// An HTTP client over a plain socket to 127.0.0.1, one connection for each request, so
/// that tests decide about every byte that is sent and see every byte that comes back.
package struct LoopbackClient: Sendable {
    private let port: UInt16

    package init(port: UInt16) {
        self.port = port
    }

    /// Sends a request, and reads the answer to its end.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var head = "\(request.method) \(Self.target(of: request)) HTTP/1.1\r\n"
        if request.headers["Host"] == nil { head += "Host: 127.0.0.1\r\n" }
        head += "Connection: close\r\n"
        for (name, value) in request.headers.fields { head += "\(name): \(value)\r\n" }
        if !request.body.isEmpty || request.method == "POST" {
            head += "Content-Length: \(request.body.count)\r\n"
        }
        return try Self.parse(try await exchange(Data((head + "\r\n").utf8) + request.body))
    }

    /// Sends bytes as they are, and gives all that comes until the server closes.
    ///
    /// - Parameter rest: sent once something of the answer is there, as by somebody who does not
    ///   look at answers before everything is sent.
    /// - Throws: `LoopbackError` where the server does not take all of the rest.
    package func exchange(_ bytes: Data, then rest: Data = Data()) async throws -> Data {
        let port = port
        // Blocks, so it must not run on one of the few threads that run tasks.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try Self.exchange(bytes, then: rest, port: port) })
            }
        }
    }

    /// Splits an answer into its parts; the body is what follows the header.
    package static func parse(_ answer: Data) throws -> HTTPResponse {
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else {
            throw LoopbackError("the answer has no header: \(answer.count) bytes")
        }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw LoopbackError("no status in \(lines[0])") }
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (
                name: String(parts[0]),
                value: parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            )
        }
        return HTTPResponse(
            status: status, headers: HTTPHeaders(fields), body: Data(answer[end.upperBound...]))
    }

    private static func target(of request: HTTPRequest) -> String {
        guard !request.query.isEmpty else { return request.path }
        return request.path + "?"
            + request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// A socket that is connected to a port of this machine; the caller closes it.
    package static func connection(to port: UInt16) throws -> Int32 {
        // A program that another test starts would keep the connection open.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw LoopbackError.system("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            defer { close(descriptor) }
            throw LoopbackError.system("connect")
        }
        return descriptor
    }

    private static func exchange(_ bytes: Data, then rest: Data, port: UInt16) throws -> Data {
        let descriptor = try connection(to: port)
        defer { close(descriptor) }
        // A server that refuses a request may answer and close before it is sent.
        _ = send(bytes, over: descriptor)
        if !rest.isEmpty {
            var answer = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&answer, 1, -1) == 1 else { throw LoopbackError.system("poll") }
            guard send(rest, over: descriptor) else { throw LoopbackError.system("send") }
            shutdown(descriptor, Int32(SHUT_WR))
        }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET && !answer.isEmpty) {
                return answer
            }
            guard count > 0 else { throw LoopbackError.system("recv") }
            answer.append(contentsOf: buffer[..<count])
        }
    }

    /// - Returns: whether everything was taken.
    private static func send(_ bytes: Data, over descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress! + sent, buffer.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}

/// The connection to the server failed, or what came back is not HTTP.
package struct LoopbackError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    static func system(_ call: String) -> LoopbackError {
        LoopbackError("\(call): \(String(cString: strerror(errno)))")
    }
}

extension HTTPResponse {
    /// The body of an answer that came over a socket.
    package var data: Data {
        guard case .data(let data) = body else { preconditionFailure("the body is a file") }
        return data
    }

    package var text: String { String(decoding: data, as: UTF8.self) }
}
