import Foundation
import FoundationNetworking
@testable import StoreKit

/// The real transport with somebody in between who changes answers or loses them.
final class InterferingTransport: RequestTransport {
    typealias Change = @Sendable (_ path: String, _ answer: Data) throws -> Data

    private let inner = HTTPTransport()
    private let change: Change
    private let before: @Sendable (URLRequest) throws -> Void
    private let hold: @Sendable (URLRequest) async -> Void
    private let cancelled: @Sendable () -> Void

    /// - Parameters:
    ///   - before: sees each request first; what it throws is the request's failure.
    ///   - hold: returns when a request may go on.
    ///   - cancelled: hears that content is not wanted any more.
    ///   - change: sees each answer, piece by piece for content.
    init(
        before: @escaping @Sendable (URLRequest) throws -> Void = { _ in },
        hold: @escaping @Sendable (URLRequest) async -> Void = { _ in },
        cancelled: @escaping @Sendable () -> Void = {},
        change: @escaping Change = { $1 }
    ) {
        self.before = before
        self.hold = hold
        self.cancelled = cancelled
        self.change = change
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try before(request)
        await hold(request)
        let (data, response) = try await inner.send(request)
        return (try change(request.url?.path ?? "", data), response)
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        try before(request)
        await hold(request)
        let (change, path) = (change, request.url?.path ?? "")
        try await withTaskCancellationHandler {
            try await inner.stream(request, accept: accept) { try sink(try change(path, $0)) }
        } onCancel: { [cancelled] in
            cancelled()
        }
    }
}
