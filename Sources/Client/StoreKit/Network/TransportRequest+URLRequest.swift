import FoundationNetworking
import StoreTransport

extension TransportRequest {
    private static let redirectLimit = 5
    /// Bytes a second that a whole answer comes with, beside the time in which nothing comes.
    private static let slowest = 16 << 10

    /// - Parameters:
    ///   - silence: seconds in which nothing may come or go; the request can allow more, up to an
    ///     hour.
    ///   - limit: the most bytes of the answer; `nil` for content, which comes in pieces. It has no
    ///     deadline, but comes with a kilobyte a second.
    init(_ request: URLRequest, silence: TimeInterval, limit: Int?) {
        self.init(
            request.httpMethod ?? "GET", request.url?.absoluteString ?? "",
            headers: (request.allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) },
            redirectLimit: Self.redirectLimit)
        if let stream = request.httpBodyStream {
            let source = BodyStream(stream)
            body = .stream(
                length: request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) },
                source: { try source.read(into: $0) })
        } else if let data = request.httpBody {
            body = .data(data)
        }
        let patience = min(3600, max(silence, request.timeoutInterval))
        limits.idleTimeout = .seconds(patience)
        limits.bodySize = limit
        if let limit {
            let bytes = Double(limit) + Double(max(0, body.length ?? 0))
            limits.deadline = .seconds(patience + bytes / Double(Self.slowest))
        } else {
            limits.minimumSpeed = 1 << 10
        }
    }
}

/// The stream of a request's body. It is closed when the request is released.
private final class BodyStream: @unchecked Sendable {
    // Sendable: only the thread that carries the request reads it, and it is closed behind that.
    private let stream: InputStream

    init(_ stream: InputStream) {
        self.stream = stream
        stream.open()
    }

    deinit {
        stream.close()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let bytes = buffer.bindMemory(to: UInt8.self).baseAddress else { return 0 }
        let count = stream.read(bytes, maxLength: buffer.count)
        guard count >= 0 else { throw URLError(.networkConnectionLost) }
        return count
    }
}
