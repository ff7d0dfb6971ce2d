import Foundation
import StoreTestSupport
import StoreTransport

/// The ways to send a request, which behave alike.
enum SendMethod: CaseIterable {
    case whole, stream, blocking

    func send(
        _ request: TransportRequest, by client: HTTPClient
    ) async throws -> TransportResponse {
        switch self {
        case .whole: return try await client.send(request)
        case .stream:
            let body = ReceivedBody()
            var response = try await client.stream(
                request, accept: { _ in }, sink: { body.add($0) })
            response.body = body.data
            return response
        case .blocking:
            return try await onThread {
                var body = Data()
                var response = try client.perform(
                    request, accept: { _ in }, sink: { body.append(contentsOf: $0) })
                response.body = body
                return response
            }
        }
    }
}
