import Foundation
import FoundationNetworking
@testable import StoreKit
import Synchronization

/// The real transport, which counts the bytes of answers that were taken.
final class CountingTransport: RequestTransport {
    private let transport = HTTPTransport()
    private let taken = Mutex(0)

    var count: Int { taken.withLock { $0 } }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try await transport.send(request)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        try await transport.stream(
            request, accept: accept,
            sink: { [self] data in
                try sink(data)
                taken.withLock { $0 += data.count }
            })
    }
}
