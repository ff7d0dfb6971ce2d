import FoundationNetworking
import StoreWire
import Synchronization

/// Carries requests to the store.
package protocol StoreTransport: Sendable {
    /// Sends a request and reads the whole answer.
    ///
    /// - Throws: `URLError`.
    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse)

    /// Sends a request and hands over the answer piece by piece.
    ///
    /// - Parameters:
    ///   - accept: sees the header of the answer first; what it throws ends the transfer.
    ///   - sink: gets the pieces in order; what it throws ends the transfer.
    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws
}

/// Foundation's URL loading, with libcurl underneath.
///
/// Requests for events, which wait for most of a minute, have one connection of their own.
/// FoundationNetworking goes on watching whether a socket that it has just connected can be
/// written, which it always can, until the first request over it has ended: a request that
/// waits over a fresh connection keeps a processor busy all the while. On a connection of
/// their own, the short request that events begin with comes first, always.
package final class URLSessionTransport: StoreTransport {
    private let plain = Connections()
    private let events = Connections(limit: 1)

    package init() {}

    package func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let answer = Mutex<(Data, HTTPURLResponse?)>((Data(), nil))
        try await stream(
            request, accept: { response in answer.withLock { $0.1 = response } },
            sink: { data in answer.withLock { $0.0.append(data) } })
        let (data, response) = answer.withLock { $0 }
        guard let response else { throw URLError(.badServerResponse) }
        return (data, response)
    }

    package func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let isForEvents = request.url?.path.hasSuffix(DeviceRoute.events) ?? false
        try await (isForEvents ? events : plain).stream(request, accept: accept, sink: sink)
    }
}

/// A session of Foundation's, with its connections.
private final class Connections: Sendable {
    private let session: URLSession
    private let streams: StreamDelegate

    /// - Parameter limit: how many connections there may be to one store.
    init(limit: Int? = nil) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 60
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        if let limit { configuration.httpMaximumConnectionsPerHost = limit }
        streams = StreamDelegate()
        session = URLSession(configuration: configuration, delegate: streams, delegateQueue: nil)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let task = session.dataTask(with: request)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                streams.add(
                    StreamDelegate.Stream(accept: accept, sink: sink) {
                        continuation.resume(with: $0)
                    },
                    for: task)
                task.resume()
                // A cancellation before `add` has found nothing to end.
                if Task.isCancelled { streams.end(task, .failure(URLError(.cancelled))) }
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// Gives each task's events to the stream that belongs to it.
private final class StreamDelegate: NSObject, URLSessionDataDelegate, Sendable {
    struct Stream: Sendable {
        let accept: @Sendable (HTTPURLResponse) throws -> Void
        let sink: @Sendable (Data) throws -> Void
        let end: @Sendable (Result<Void, any Error>) -> Void
    }

    private let streams = Mutex<[Int: Stream]>([:])

    func add(_ stream: Stream, for task: URLSessionTask) {
        streams.withLock { $0[task.taskIdentifier] = stream }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let stream = streams.withLock({ $0[dataTask.taskIdentifier] }) else {
            completionHandler(.cancel)
            return
        }
        do {
            guard let response = response as? HTTPURLResponse else {
                throw URLError(.badServerResponse)
            }
            try stream.accept(response)
            completionHandler(.allow)
        } catch {
            end(dataTask, .failure(error))
            completionHandler(.cancel)
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let stream = streams.withLock({ $0[dataTask.taskIdentifier] }) else { return }
        do {
            try stream.sink(data)
        } catch {
            end(dataTask, .failure(error))
            dataTask.cancel()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        end(task, error.map { .failure($0) } ?? .success(()))
    }

    func end(_ task: URLSessionTask, _ result: Result<Void, any Error>) {
        let stream = streams.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        stream?.end(result)
    }
}
